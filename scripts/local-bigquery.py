"""BigQuery for tests: local-bigquery, an emulator that runs GoogleSQL on DuckDB, without a network.

    python3.13 -m venv .venv
    .venv/bin/pip install local-bigquery==0.3.2 duckdb==1.5.5 duckdb-extension-icu==1.5.5 \
      duckdb-extension-ducklake==1.5.5 duckdb-extension-spatial==1.5.5
    .venv/bin/python scripts/local-bigquery.py --port 9050
    TEST_BIGQUERY_URL=http://127.0.0.1:9050 npm test -- server/data-sources

DuckDB would download the extensions that the emulator uses. Here they come from packages: each is put where DuckDB looks for
what it has downloaded, in a home folder that is only this process's. Sign-in, roles, billing, and the sampling of blocks are
not there.
"""

import importlib.util
import os
import pathlib
import platform
import shutil
import sys
import tempfile

EXTENSIONS = ["icu", "ducklake", "spatial"]


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="local-bigquery-"))
    os.environ["HOME"] = str(folder)
    import duckdb

    machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    system = {"darwin": "osx"}.get(sys.platform, sys.platform)
    place = folder / ".duckdb" / "extensions" / f"v{duckdb.__version__}" / f"{system}_{machine}"
    place.mkdir(parents=True)
    for name in EXTENSIONS:
        package = pathlib.Path(importlib.util.find_spec(f"duckdb_extension_{name}").origin).parent
        [file] = package.glob(f"extensions/v{duckdb.__version__}/{name}.duckdb_extension")
        shutil.copy(file, place)

    from local_bigquery import cli

    sys.argv[1:] = ["--host", "127.0.0.1", "--grpc-port", "0", "--data-dir", str(folder / "data"), *sys.argv[1:]]
    try:
        cli.main()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
