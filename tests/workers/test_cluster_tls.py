"""A cluster behind TLS: who has its certificates joins it, and whoever has not is told what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from bot.plugins.dask_cluster import DaskCluster
from bot.workers.cluster import NoCluster
from tests.support.processes.machines import SLOWEST, Machines
from tests.support.waiting import wait_until

dask = pytest.importorskip("dask")
pytest.importorskip("distributed")

TLS = "DASK_DISTRIBUTED__COMM__TLS__"


def openssl(*words: str) -> None:
    subprocess.run(["openssl", *words], check=True, capture_output=True)


def certificates(folder: Path) -> dict[str, str]:
    """A CA and a certificate of it that all use, as Dask's settings."""
    ca, ca_key, own, key, asked = (str(folder / name) for name in ("ca", "ca-key", "own", "key", "asked"))
    fresh = ("req", "-newkey", "rsa:2048", "-nodes")
    openssl(*fresh, "-x509", "-days", "2", "-subj", "/CN=ours", "-keyout", ca_key, "-out", ca)
    openssl(*fresh, "-subj", "/CN=127.0.0.1", "-keyout", key, "-out", asked)
    signed = ("-CA", ca, "-CAkey", ca_key, "-CAcreateserial", "-days", "2")
    openssl("x509", "-req", "-in", asked, *signed, "-out", own)
    ours = {f"{TLS}{who}__{what}" for who in ("CLIENT", "SCHEDULER", "WORKER") for what in ("CERT", "KEY")}
    return {
        "DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION": "true",
        f"{TLS}CA_FILE": ca,
        **{name: own if name.endswith("CERT") else key for name in ours},
    }


@pytest.mark.parametrize(
    ("address", "settings", "said"),
    [
        ("tls://127.0.0.1:1", {}, "lack a CA file, a certificate or its key"),
        ("tls://127.0.0.1:1", {"tls.ca-file": "/nowhere/ca.pem"}, "/nowhere/ca.pem is not there"),
        ("tcp://127.0.0.1:1", {"require-encryption": True}, "allow TLS alone; write tls://"),
    ],
)
def test_settings_that_do_not_fit_are_named_before_anything_is_opened(
    address: str, settings: dict[str, object], said: str
) -> None:
    with (
        dask.config.set({f"distributed.comm.{name}": value for name, value in settings.items()}),
        pytest.raises(NoCluster, match="away") as found,
    ):
        DaskCluster(address).connect(patience=0)
    assert said in str(found.value.facts["problem"])


@pytest.fixture(scope="module")
def behind_tls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Machines, dict[str, str]]]:
    folder = tmp_path_factory.mktemp("tls")
    settings = certificates(folder)
    with ExitStack() as stack:
        yield Machines(folder, stack, scheme="tls", settings=settings, workers=1), settings


def played(address: str, settings: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Games of an arena in that cluster."""
    words = ("arena", "compound_capture", "--players", "casual,newcomer", "--games", "4")
    command = [sys.executable, "-m", "bot", *words, "--scheduler", address]
    environment = {**os.environ, **settings}
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, timeout=SLOWEST, check=False
    )


@pytest.mark.long
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates")
def test_who_has_the_certificates_plays_there_and_nobody_else(
    behind_tls: tuple[Machines, dict[str, str]], tmp_path: Path
) -> None:
    machines, settings = behind_tls
    wait_until(lambda: "Registered to" in (machines.folder / "worker-0.log").read_text(), SLOWEST)
    done = played(machines.address, settings)
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 deals, 4 games" in done.stdout
    stranger = played(machines.address, certificates(tmp_path))
    assert (stranger.returncode, stranger.stderr.count("\n")) == (1, 1), stranger.stderr
    assert "TLS certificate does not match" in stranger.stderr
