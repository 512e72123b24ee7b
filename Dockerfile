# Pytlik's server. The first stage has compiler and Node, and builds a wheel with the page and the
# compiled kernels inside; the second installs it and has neither. `make container` tries this file.
ARG PYTHON=python:3.13-slim
FROM ${PYTHON} AS build

RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY requirements-build.txt requirements.txt ./
# Exactly what is locked, or it is not installed.
RUN python3 -m venv /build \
    && /build/bin/pip install --no-cache-dir --no-deps --require-hashes --requirement requirements-build.txt \
    && python3 -m venv --without-pip /opt/pytlik \
    && /build/bin/pip --python /opt/pytlik/bin/python install \
        --no-cache-dir --no-deps --require-hashes --requirement requirements.txt
COPY . .
# A wheel without kernels would be called py3-none-any, and is not found then.
RUN /build/bin/python -m hatchling build --target wheel \
    && /build/bin/pip --python /opt/pytlik/bin/python install --no-deps --no-index dist/*linux*.whl

FROM ${PYTHON}
COPY --from=build /opt/pytlik /opt/pytlik
RUN useradd --create-home --uid 1000 pytlik \
    && install -d -o pytlik /data

USER pytlik
VOLUME /data
EXPOSE 8000
ENV PATH=/opt/pytlik/bin:$PATH \
    PYTLIK_HOST=0.0.0.0 \
    PYTLIK_PORT=8000 \
    PYTLIK_DATABASE=/data/pytlik.db

HEALTHCHECK CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(f\"http://127.0.0.1:{os.environ['PYTLIK_PORT']}/healthz\")"]
CMD ["pytlik", "serve"]
