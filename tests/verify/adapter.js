// An adapter for `exact verify program`: punto banco by point values, first cards PPBB. Argument "faulty": a ten third card is 10.
const faulty = process.argv[2] === "faulty";
const total = (hand) => hand.reduce((sum, card) => sum + card, 0) % 10;

function play(cards) {
  const player = cards.slice(0, 2), banker = cards.slice(2, 4), rest = cards.slice(4);
  if (total(player) < 8 && total(banker) < 8) {
    const drawn = total(player) <= 5 ? rest.shift() : null, third = drawn === 0 && faulty ? 10 : drawn, b = total(banker);
    if (drawn !== null) player.push(drawn);
    const draws = third === null ? b <= 5 : b <= 2 || (b === 3 && third !== 8) || (b === 4 && third > 1 && third < 8) ||
      (b === 5 && third > 3 && third < 8) || (b === 6 && third > 5 && third < 8) || (b <= 6 && third === 10);
    if (draws) banker.push(rest.shift());
  }
  const [p, b] = [total(player), total(banker)];
  return { player, banker, player_total: p, banker_total: b, outcome: p > b ? "Player" : b > p ? "Banker" : "Tie" };
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  if (request.do === "stop") process.exit(0);
  const answer = request.do === "start" ? { cards: "value", order: "PPBB" } : { id: request.id, ...play(request.cards) };
  console.log(JSON.stringify(answer));
});
