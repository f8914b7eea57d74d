# Builds an image of the server: `docker build --tag service-server .`
# docs/hosting/containers.md says how to run it.

FROM node:24-alpine AS build
WORKDIR /src
COPY . .
RUN npm run pack:server
# The optional packages are included, because an image can't be extended by its user with `npm install`.
RUN mkdir /app && cd /app && npm init --yes >/dev/null \
  && npm install --omit=dev --omit=optional --no-audit --no-fund \
    /src/service-server-*.tgz ioredis@5 nodemailer@10 pg@8 stripe@23 \
  && find node_modules -not -path '*/@service/*' \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete

# Only the program of Node.js: no npm, no compiler, no shell scripts.
FROM alpine:3.22
RUN apk add --no-cache libstdc++ && adduser -D -H -u 10001 service && mkdir /data && chown service /data
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app/node_modules /app/node_modules
USER service
ENV NODE_ENV=production SERVICE_HOST=0.0.0.0 SERVICE_PORT=4400 SERVICE_STORAGE=file:/data
WORKDIR /data
VOLUME /data
EXPOSE 4400
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.SERVICE_PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/@service/server/bin/service-server.js"]
