import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # engines and logs are shared by the tests of this folder
