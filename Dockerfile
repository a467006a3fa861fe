# Build, tests and the dashboard (docs/docker.md). Agents need their CLI: run those on the host.
FROM node:24-slim

# One test compares our process table with what ps says.
RUN apt-get update \
    && apt-get install -y --no-install-recommends procps \
    && rm -rf /var/lib/apt/lists/*

# A new named volume takes the owner of the folder it covers: both must be there, and be node's.
RUN install -d -o node -g node /app /data

USER node
WORKDIR /app

# Sources change more often than dependencies. `prepare` would need the sources: it is the last step.
COPY --chown=node:node package.json package-lock.json .npmrc ./
# vitest writes into node_modules, also when run with the id of the checkout's owner (--user).
RUN npm ci --ignore-scripts && chmod a+w node_modules
COPY --chown=node:node . .
RUN npm run build

# 0.0.0.0 is the container's own: publish the port on the host's loopback only, there is no sign-in.
# A port given by name is never swapped for the next free one, which nobody has published.
ENV KUROMAJUTSU_BIND=0.0.0.0 \
    KUROMAJUTSU_BEHIND_LOOPBACK=1 \
    KUROMAJUTSU_PORT=9696 \
    KUROMAJUTSU_DATA_DIR=/data
EXPOSE 9696
HEALTHCHECK --interval=10s --start-period=10s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.KUROMAJUTSU_PORT}/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/kuromajutsu.js", "serve"]
