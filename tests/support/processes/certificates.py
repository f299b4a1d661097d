"""Certificates of servers in tests."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

NEEDS_OPENSSL = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates")


def certificate(folder: Path, name: str) -> Path:
    """Make a certificate that signs itself, with its key beside it."""
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    words += ["-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"]
    words += ["-keyout", f"{folder / name}.key", "-out", f"{folder / name}.crt"]
    subprocess.run(words, check=True, capture_output=True)
    return folder / f"{name}.crt"
