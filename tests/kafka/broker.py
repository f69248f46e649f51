"""A real Kafka broker for tests: its jars come from Maven Central, and it runs on loopback in KRaft mode.

PLUMBLINE_KAFKA_JARS names a folder that has the jars already; otherwise they are kept in ~/.cache/plumbline/kafka.
"""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

VERSION = "4.3.1"
LOGGER = "2.24.3"
POM = f"""<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>plumbline</groupId><artifactId>broker</artifactId><version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>{VERSION}</version>
    </dependency>
    <dependency>
      <groupId>org.apache.logging.log4j</groupId><artifactId>log4j-slf4j-impl</artifactId><version>{LOGGER}</version>
    </dependency>
  </dependencies>
</project>
"""
JVM = ["-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]


class Missing(Exception):
    """Why there can be no broker here."""


def find_jars():
    """The folder with the jars, fetched if it has to be."""
    if not shutil.which("java"):
        raise Missing("there is no java")
    given = os.environ.get("PLUMBLINE_KAFKA_JARS")
    if given:
        return pathlib.Path(given)
    folder = pathlib.Path.home() / ".cache/plumbline/kafka" / VERSION
    if folder.is_dir():
        return folder
    if not shutil.which("mvn"):
        raise Missing("there is no mvn to fetch the broker with, and PLUMBLINE_KAFKA_JARS is not set")
    draft = folder.with_suffix(f".{os.getpid()}")
    draft.mkdir(parents=True)
    (draft / "pom.xml").write_text(POM)
    fetched = subprocess.run(
        ["mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=."],
        cwd=draft, capture_output=True, text=True, timeout=600,
    )
    if fetched.returncode != 0:
        shutil.rmtree(draft)
        raise Missing(f"the broker's jars could not be fetched: {fetched.stdout.strip()[-300:]}")
    try:
        draft.rename(folder)
    except OSError:  # another test was faster
        shutil.rmtree(draft)
    return folder


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Broker:
    """One node that is broker and controller; its data survive `kill` and `start`."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.jars = find_jars()
        self.port, controller, sasl = free_ports(3)
        self.address = f"127.0.0.1:{self.port}"
        self.sasl_address = f"127.0.0.1:{sasl}"  # for the user 'me' with the password 'secret'
        self.process = None
        (self.folder / "server.properties").write_text(f"""
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{self.port},SASL://{self.sasl_address},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{self.port},SASL://{self.sasl_address}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SASL:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT
listener.name.sasl.sasl.enabled.mechanisms=PLAIN
listener.name.sasl.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required \\
  user_me="secret";
log.dirs={self.folder}/data
offsets.topic.replication.factor=1
offsets.topic.num.partitions=5
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=5
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
auto.create.topics.enable=true
num.partitions=3
""")
        (self.folder / "log4j2.properties").write_text(
            "rootLogger.level=warn\nrootLogger.appenderRef.o.ref=o\n"
            "appender.o.type=Console\nappender.o.name=o\n"
        )
        self.java("kafka.tools.StorageTool", "format", "-t", "4L6g3nShT-eMCtK--X86sw", "-c",
                  self.folder / "server.properties")

    def command(self, *arguments):
        return ["java", *JVM, f"-Dlog4j2.configurationFile={self.folder}/log4j2.properties",
                "-cp", f"{self.jars}/*", *map(str, arguments)]

    def java(self, *arguments):
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise Missing(f"{arguments[0]} failed: {(done.stdout + done.stderr)[-500:]}")
        return done.stdout

    def start(self):
        log = open(self.folder / "broker.log", "ab")
        self.process = subprocess.Popen(
            self.command("kafka.Kafka", self.folder / "server.properties"), stdout=log, stderr=log,
            start_new_session=True,
        )
        log.close()
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.1)
        self.kill()
        raise Missing(f"the broker did not start: {(self.folder / 'broker.log').read_text()[-500:]}")

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
