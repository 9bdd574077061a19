# An image that traces, from the one of every day: the program of the image `jweave` (Containerfile beside this file) weaves in a
# stage, and what it has woven runs in the stage of the application's own JRE. Copy this file, and say what yours is called.
#
#     buildah build -t hello:traced -f Containerfile.app --target traced .
#     podman run -v "$PWD/traces:/traces" hello:traced
#
# app.jar and rules/ are beside it. A change of the rules weaves again; wrong rules fail the build.
FROM jweave AS tool

FROM eclipse-temurin:17-jre AS app
COPY app.jar /app/app.jar
ENTRYPOINT [ "java", "-jar", "/app/app.jar" ]

# no shell is needed to weave
FROM tool AS weave
COPY --from=app /app/app.jar /in/app.jar
COPY rules /rules
RUN [ "/usr/bin/jweave", "--fail-on-unmatched", "/in/app.jar", "/rules/trace.json", "/jars/app.jar" ]

FROM app AS traced
COPY --from=weave /jars/app.jar /app/app.jar
# the process is always number 1 there; a name that exists gets a suffix
ENV JWEAVE_OUTPUT=/traces/trace-%h-%p
VOLUME /traces

# without --target: the image without tracing
FROM app
