# Pytlik's server. Nothing here that `make setup` and the tests do not do as well: install the
# package with its extras, and start `pytlik serve`. No Docker engine ran where this was written:
# the file is untried (docs/hosting.md).
FROM python:3.13-slim

COPY . /src
RUN pip install --no-cache-dir "/src[postgres,redis]" \
    && rm -rf /src \
    && useradd --create-home --uid 1000 pytlik \
    && install -d -o pytlik /data

USER pytlik
VOLUME /data
EXPOSE 8000
ENV PYTLIK_HOST=0.0.0.0 \
    PYTLIK_PORT=8000 \
    PYTLIK_DATABASE=/data/pytlik.db

HEALTHCHECK CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz')"]
CMD ["pytlik", "serve"]
