"""An adapter for ``exact verify program``: the engine named on the command line behind JSON lines."""

import json
import sys
from pathlib import Path


def main() -> None:
    sys.path.insert(0, str(Path(__file__).parent))
    import engines

    play = getattr(engines, sys.argv[1])
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "start":
            answer = {"cards": "rank", "order": "PBPB", "bets": False}
        elif request["do"] == "round":
            answer = {"id": request["id"], **play(request["cards"])}
        else:
            break
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
