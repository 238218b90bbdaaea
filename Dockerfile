# PostgreSQL 15 with the extension casino.
#   docker build -t casino . && docker run -v casino:/var/lib/postgresql -p 5432:5432 -e POSTGRES_PASSWORD=... casino
# Then: CREATE EXTENSION casino; SELECT casino.install();
FROM debian:12-slim AS build
RUN apt-get -q update \
 && apt-get -q -y install --no-install-recommends make gcc libc6-dev postgresql-server-dev-15
COPY . /build
RUN make -C /build -j"$(nproc)" && make -C /build install DESTDIR=/stage

FROM debian:12-slim
RUN mkdir -p /etc/postgresql-common/createcluster.d \
 && echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.d/image.conf \
 && apt-get -q update \
 && apt-get -q -y install --no-install-recommends postgresql-15 \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /stage/ /
ENV PATH=/usr/lib/postgresql/15/bin:$PATH PGDATA=/var/lib/postgresql/data LANG=C.UTF-8
USER postgres
VOLUME /var/lib/postgresql
EXPOSE 5432
STOPSIGNAL SIGINT
CMD ["sh", "-ec", "\
  if [ ! -s \"$PGDATA/PG_VERSION\" ]; then \
    umask 077; printf '%s\\n' \"${POSTGRES_PASSWORD:?set a password for the first start}\" >/tmp/pw; \
    initdb -A scram-sha-256 --pwfile=/tmp/pw -E UTF8 --locale=C.UTF-8; rm /tmp/pw; \
    echo 'host all all all scram-sha-256' >>\"$PGDATA/pg_hba.conf\"; \
  fi; \
  exec postgres -c listen_addresses='*'"]
