# The service in one image: with DATABASE_URL on a PostgreSQL of its own, without it on the embedded one in /data.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/trim-packages.mjs scripts/
# No dependency needs its install script; the image brings Node, so the one among the dependencies goes.
RUN npm ci --ignore-scripts --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node \
  && node scripts/trim-packages.mjs
COPY . .
ENV NEXT_TELEMETRY_DISABLED=1
RUN node scripts/bundle.mjs && node scripts/sbom.mjs \
  && node --require ./scripts/without-types.cjs node_modules/next/dist/bin/next build && node scripts/compress-pages.mjs && rm -rf .next/cache
# What the embedded PostgreSQL would complete at its first start, in a folder that is not its own then.
RUN node --input-type=module --eval "import { postgresProgram } from './dist/db/postgres-program.js'; postgresProgram();"

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
RUN mkdir /data && chown node:node /data
COPY --from=build /app/node_modules ./node_modules
COPY --from=build --chown=node:node /app/.next ./.next
COPY package.json next.config.mjs tsconfig.json LICENSE ./
COPY drizzle ./drizzle
COPY cli ./cli
COPY --from=build /app/dist ./dist
COPY server/demo ./server/demo
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# As `npm start` does, without npm between the signals and the process.
CMD ["node", "--max-semi-space-size=16", "dist/process/main.js"]
