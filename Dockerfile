# Valence for a host that runs images. deploy/compose.yml starts it with PostgreSQL.
# Where no image can be built, `python tools/image.py` runs the same steps in a folder and tries the result.
FROM python:3.13.15-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS base

FROM base AS build
WORKDIR /src
COPY requirements.txt pyproject.toml README.md LICENSE ./
COPY deploy/requirements ./deploy/requirements
COPY assets ./assets
COPY bot ./bot
COPY engine ./engine
COPY playground ./playground
RUN apt-get update && apt-get install -y --no-install-recommends binutils
RUN python -m venv /opt/valence
RUN /opt/valence/bin/pip install --no-cache-dir --require-hashes --requirement requirements.txt
# such as --build-arg EXTRAS=speed,sentry; deploy/requirements has their names
ARG EXTRAS=
RUN for extra in $(echo "$EXTRAS" | tr , ' '); do /opt/valence/bin/pip install --no-cache-dir --require-hashes --requirement "deploy/requirements/$extra.txt" || exit 1; done
# what builds the wheel has hashes too, and is not in the image
RUN python -m venv /opt/build
RUN /opt/build/bin/pip install --no-cache-dir --require-hashes --requirement deploy/requirements/build.txt
RUN /opt/build/bin/pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /opt/wheel .
RUN /opt/valence/bin/pip install --no-cache-dir --no-deps /opt/wheel/*.whl
RUN /opt/valence/bin/pip uninstall --yes pip
# Babel's facts about languages that the bot does not speak are 28 MiB
RUN find /opt/valence -path '*/babel/locale-data/*.dat' ! -name root.dat $(ls bot/locales | grep -v _ | cut -d- -f1 | sed 's/.*/! -name &*.dat/') -delete
RUN find /opt/valence -path '*/site-packages/*' -type d -name tests -prune -exec rm -r {} +
# wheels bring 30 MiB of symbols for debuggers
RUN find /opt/valence -name '*.so*' -exec strip --strip-debug {} +

FROM base
# Pillow looks for FriBiDi to shape names in Arabic, Devanagari and similar scripts
RUN apt-get update && apt-get install -y --no-install-recommends libfribidi0 && rm -rf /var/lib/apt/lists/*
# who runs it may write to /data alone: games (where SQLite keeps them), backups and drawn cards
RUN useradd --system --uid 10001 --no-create-home valence
RUN install -d -o valence -m 700 /data
COPY --from=build /opt/valence /opt/valence
USER valence
WORKDIR /data
ENV PATH=/opt/valence/bin:$PATH
ENV DATABASE_URL=sqlite:////data/valence.db
ENV VALENCE_CACHE=/data/cache
ENV VALENCE_METRICS_PORT=9100
VOLUME /data
# starting Python alone may take seconds on a small or busy machine; a bot that hangs is told of at once
HEALTHCHECK --interval=30s --timeout=20s --start-period=60s CMD ["valence", "health"]
CMD ["valence", "run"]
