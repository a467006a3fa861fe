# The daemon, the build and the tests (docs/docker.md). deploy/Dockerfile.claude adds an agent CLI.
FROM node:24-slim

# One test compares our process table with the output of ps; agents work with git over HTTPS.
RUN apt-get update \
    && apt-get install -y --no-install-recommends procps git ca-certificates \
    && rm -rf /var/lib/apt/lists/*

# A new named volume takes the owner of the folder it covers, so both must exist and belong to node.
RUN install -d -o node -g node /app /data /projects

USER node
WORKDIR /app

# Sources change more often than dependencies, so they are copied last. `prepare` needs the sources:
# `npm run build` below replaces it.
COPY --chown=node:node package.json package-lock.json .npmrc ./
# vitest writes into node_modules, also when it runs as the checkout's owner (--user).
RUN npm ci --ignore-scripts && chmod a+w node_modules
COPY --chown=node:node . .
RUN npm run build

# 0.0.0.0 is inside the container. Publish the port on the host's loopback only: by default there is
# no sign-in. With an explicit port the daemon never switches to the next free one, which would not be
# published.
ENV KUROMAJUTSU_BIND=0.0.0.0 \
    KUROMAJUTSU_BEHIND_LOOPBACK=1 \
    KUROMAJUTSU_PORT=9696 \
    KUROMAJUTSU_DATA_DIR=/data
EXPOSE 9696
HEALTHCHECK --interval=10s --start-period=10s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.KUROMAJUTSU_PORT}/api/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/kuromajutsu.js", "serve"]
