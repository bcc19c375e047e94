# One image for the API and the worker; docker-compose.yml says which of them a container runs.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY dev/tools/node/package.json dev/tools/node/
RUN npm ci --ignore-scripts
COPY . .
RUN npm run production && chmod -R g=u production

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
# OpenShift runs it as a user of its own choice, who is in group 0.
COPY --from=build --chown=1000:0 /app/production ./
USER 1000:0
EXPOSE 12347
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PARLEY_PORT || 12347}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/api/main.js"]
