"""mig-parted's config: does it load, and which MIG devices does it want on which cards?"""

from labs.config.mig_parted import loader
from labs.config.mig_parted.fields import ALL_DEVICES, VERSION, MigEntry
from labs.config.mig_parted.filter import NVIDIA_VENDOR, DeviceId, parse_device_id
from labs.config.mig_parted.fit import fits
from labs.config.mig_parted.loader import MigParted
from labs.config.mig_parted.profile import ProfileName, parse_profile
from labs.config.mig_parted.text import config_text

__all__ = [
    "ALL_DEVICES",
    "NVIDIA_VENDOR",
    "VERSION",
    "DeviceId",
    "MigEntry",
    "MigParted",
    "ProfileName",
    "config_text",
    "fits",
    "loader",
    "parse_device_id",
    "parse_profile",
]
