"""Settings for all tests."""

import os

from hypothesis import settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # tests run side by side: no threads of numpy beside them

settings.register_profile("exact", deadline=None)  # the time of one example says nothing on a busy machine
settings.load_profile("exact")
