# For machines that are not Debian 12+ or Ubuntu 24.04+:
#   docker build -t cqfuzz . && docker run --rm -it cqfuzz scripts/fuzz
FROM debian:12
WORKDIR /cqfuzz
COPY scripts/setup scripts/setup
COPY cmake/NewestClang.cmake cmake/NewestClang.cmake
RUN scripts/setup && rm -rf /var/lib/apt/lists/*
COPY . .
CMD ["scripts/fuzz"]
