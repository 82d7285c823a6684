"""A private PostgreSQL: a cluster of its own in a temporary folder, reached by a socket in it, so no port can clash."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import psycopg
import pytest


def programs() -> Path | None:
    """The folder with initdb and pg_ctl; Debian keeps them out of the PATH."""
    for path in (*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True), Path(shutil.which("initdb") or "/").parent):
        if (path / "initdb").exists():
            return path
    return None


class Cluster:
    """PostgreSQL refuses to run as root, so root runs it as an ordinary user."""

    def __init__(self):
        self.programs = programs()
        if self.programs is None:
            pytest.skip("no PostgreSQL: install the package postgresql (tools/system_packages does)")
        self.folder = Path(tempfile.mkdtemp(prefix="innominate-pg-"))
        self.user = _ordinary_user() if os.geteuid() == 0 else None
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        self._do("initdb", "-D", self.data, "-U", "campaign", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        self.start()
        self.schemas = 0

    @property
    def data(self):
        return self.folder / "data"

    def start(self):
        settings = f"-c listen_addresses='' -c unix_socket_directories={self.folder} {self._fast_start()}"
        self._do("pg_ctl", "-D", self.data, "-o", settings, "-l", self.folder / "log", "-w", "start")

    def _fast_start(self):
        """After a crash all files are forced to disk, one by one unless it is told otherwise."""
        version = subprocess.run([self.programs / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
        return "-c recovery_init_sync_method=syncfs" if int(version.split()[2].partition(".")[0]) >= 14 else ""

    def crash(self):
        """Stop as a crash would, without a checkpoint, and start again."""
        self._do("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")
        self.start()

    def new_database(self):
        """The URL of an empty schema: a database of its own for every test would take seconds."""
        self.schemas += 1
        server = f"postgresql://campaign@/postgres?host={self.folder}"
        with psycopg.connect(server) as connection:
            connection.execute(f"CREATE SCHEMA c{self.schemas}")
        return f"{server}&options=-csearch_path%3Dc{self.schemas}"

    def remove(self):
        self._do("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.folder)

    def _do(self, program, *arguments):
        as_user = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        done = subprocess.run(
            [self.programs / program, *arguments], capture_output=True, text=True, check=False, cwd=self.folder, **as_user
        )
        assert done.returncode == 0, done.stderr


def _ordinary_user():
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    return pytest.skip("PostgreSQL cannot run as root, and there is no other user")
