"""Units of the whole house: times are microseconds, memory is bytes, shares are parts of a million."""

SECOND_US = 1_000_000
MIB = 1 << 20
GIB = 1 << 30
PPM = 1_000_000
