"""Settings for all tests."""

from hypothesis import settings

settings.register_profile("exact", deadline=None)  # the time of one example says nothing on a busy machine
settings.load_profile("exact")
