#!/bin/sh
# jweave submit: what a command of an engine gets, with scripts in the places of the engines. (Real ones: tests/e2e/spark.t, hadoop.t.)
# Slow: 10 s, JVMs run one after the other.
. tests/cli/kit
command -v javac >/dev/null && command -v jar >/dev/null || skip_all 'no JDK'
cd "$dir" || exit 1
XDG_CACHE_HOME=$dir/cache
export XDG_CACHE_HOME
for name in $(env | sed -n 's/^\(JWEAVE_[A-Z_]*\)=.*/\1/p'); do unset "$name"; done
unset SPARK_HOME SPARK_CONF_DIR HADOOP_HOME HADOOP_CONF_DIR HADOOP_CLASSPATH FLINK_HOME FLINK_CONF_DIR FLINK_LIB_DIR CLASSPATH JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS
mkdir cache

# ---- three engines: classes that the presets choose, and scripts that tell what they were given ----

mkdir -p src classes/spark classes/hadoop classes/flink classes/app spark/bin spark/jars spark/conf hadoop/bin hadoop/lib hadoop/conf flink/bin flink/lib flink/conf
cat >src/Task.java <<'J'
package org.apache.spark.scheduler;
public class Task {
	public long run(long tid, int attempt, Object metrics) { return tid + attempt; }
	public static void main(String[] a) throws Exception { System.out.println("ran " + new Task().run(40, 2, null)); if (System.getenv("KILL") != null) new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor(); }
}
J
cat >src/MapTask.java <<'J'
package org.apache.hadoop.mapred;
public class MapTask {
	public void run(Object job) { System.out.println("mapped"); }
	public static void main(String[] a) { new MapTask().run(a); }
}
J
cat >src/FlinkTask.java <<'J'
package org.apache.flink.runtime.taskmanager;
public class Task {
	public void run() { System.out.println("flowed"); }
	public static void main(String[] a) { new Task().run(); }
}
J
mkdir src/flink && mv src/FlinkTask.java src/flink/Task.java
printf 'package acme; public class App { public static int work(int n) { return n * 2; } }\n' >src/App.java
need javac -g -d classes/spark src/Task.java
need javac -g -d classes/hadoop src/MapTask.java
need javac -g -d classes/flink src/flink/Task.java
need javac -g -d classes/app src/App.java
need jar cf spark/jars/spark-core_2.13-9.9.jar -C classes/spark .
need jar cf spark/jars/other.jar -C classes/app .
need jar cf hadoop/lib/core.jar -C classes/hadoop .
need jar cf flink/lib/flink-dist.jar -C classes/flink .
need jar cf app.jar -C classes/app .
cat >spark/bin/spark-submit <<'S'
#!/bin/sh
printf '%s\n' "$@" >args
for word; do
	case $word in spark.driver.extraClassPath=*) front=${word#*=}: ;; esac
done
java -cp "$front$SPARK_HOME/jars/*" org.apache.spark.scheduler.Task
exit 3
S
cat >hadoop/bin/hadoop <<'S'
#!/bin/sh
here=$(cd "$(dirname "$0")/.." && pwd)
[ "$1" != classpath ] || { echo "${HADOOP_CONF_DIR:-$here/conf}:$here/lib/*"; exit; }
printf '%s\n' "$@" >args
env | sort | grep ^HADOOP_ >environment
[ ! -d "$HADOOP_CONF_DIR" ] || cp -RP "$HADOOP_CONF_DIR" conf-seen
java -cp "$HADOOP_CLASSPATH:$here/lib/*" org.apache.hadoop.mapred.MapTask
S
cat >flink/bin/flink <<'S'
#!/bin/sh
printf '%s\n' "$@" >args
java -cp "$FLINK_LIB_DIR/*" org.apache.flink.runtime.taskmanager.Task
S
cp flink/bin/flink flink/bin/start-cluster.sh
chmod +x spark/bin/* hadoop/bin/* flink/bin/*
mkdir bin && ln -s ../spark/bin/spark-submit bin/spark-submit

try() { # try WORDS...: status, out, err
	timeout 60 "$jweave" submit "$@" >"$dir/.out" 2>"$dir/.err" </dev/null
	status=$?
	out=$(cat "$dir/.out")
	err=$(sed "s|$dir|DIR|g; s/[0-9a-f]\{32\}/KEY/g; /^jweave: recording/d; s/, [^,]* methods in .* s -> .*/.../" "$dir/.err")
}
shown() { sed "s|$dir|DIR|g; s/[0-9a-f]\{32\}/KEY/g" "$@"; }

# ---- spark ----

core=DIR/cache/jweave/run-1/KEY/spark-core_2.13-9.9.jar
try --job one bin/spark-submit --master 'local[2]' --class acme.Main app.jar --conf x 7
is 'spark: output and status are the command'"'"'s' "$status$out" '3ran 42'
is 'spark: what it got' "$(shown args)" "--master
local[2]
--class
acme.Main
--conf
spark.driver.extraClassPath=$core
--conf
spark.executor.extraClassPath=$core
--conf
spark.io.mode.default=NIO
--conf
spark.shuffle.io.mode=NIO
--conf
spark.rpc.io.mode=NIO
--conf
spark.executorEnv.JWEAVE_JOB=DIR/one
app.jar
--conf
x
7"
is 'spark: what is said' "$err" "jweave: note: wove 1 of 3 methods in 1 class of 'DIR/spark/jars/spark-core_2.13-9.9.jar'
jweave: note: 1 recording in 'DIR/one': Task
jweave: note: where the time went: jweave report DIR/one; in the browser: jweave view DIR/one"
ok 'spark: a recording' "$(ls one/*.jwr >/dev/null; echo $?)"
try --job one bin/spark-submit app.jar
like 'spark: the second run weaves nothing' "$err" "jweave: note: traces 1 of 3 methods in 1 class of 'DIR/spark/jars/spark-core_2.13-9.9.jar', woven by an earlier run*2 recordings in 'DIR/one'*"
KILL=1 try --job halted bin/spark-submit app.jar
like 'spark: processes that did not end as they should' "$err" "*1 recording in 'DIR/halted': *
jweave: note: killed, or crashed: 1 of them*"
sed -i 's/^host	.*/host	elsewhere/' halted/*.jwr/meta
try --job halted bin/spark-submit app.jar
like '... on another host, which nobody here knows' "$err" "*2 recordings in 'DIR/halted': *
jweave: note: not ended: 1 of them (they run yet, or were killed)*"
try -q --job one bin/spark-submit app.jar
is 'spark: -q' "$status$err" 3

printf '# settings\nspark.executor.extraClassPath  /theirs/a.jar\nspark.shuffle.io.mode=EPOLL\nspark.driver.extraClassPath: /theirs/b.jar\n' >spark/conf/spark-defaults.conf
try -q --job one bin/spark-submit app.jar
is 'spark: spark-defaults.conf stays in force' "$(shown args)" "--conf
spark.driver.extraClassPath=$core:/theirs/b.jar
--conf
spark.executor.extraClassPath=$core:/theirs/a.jar
--conf
spark.io.mode.default=NIO
--conf
spark.rpc.io.mode=NIO
--conf
spark.executorEnv.JWEAVE_JOB=DIR/one
app.jar"
try -q --job one --events=gc,park bin/spark-submit --driver-class-path /mine.jar --conf=spark.executor.extraClassPath=/x.jar -c spark.rpc.io.mode=EPOLL --conf spark.shuffle.io.mode=AUTO app.jar
is 'spark: options stay in force, and settings of the recorder travel' "$(shown args)" "--driver-class-path
$core:/mine.jar
--conf=spark.executor.extraClassPath=/x.jar
-c
spark.rpc.io.mode=EPOLL
--conf
spark.shuffle.io.mode=AUTO
--conf
spark.executor.extraClassPath=$core:/x.jar
--conf
spark.io.mode.default=NIO
--conf
spark.executorEnv.JWEAVE_JOB=DIR/one
--conf
spark.executorEnv.JWEAVE_EVENTS=gc,park
app.jar"
printf 'spark.executor.extraClassPath /p.jar\n' >my.conf
try -q --job one bin/spark-submit --properties-file my.conf --deploy-mode=cluster --new-option x app.jar
is 'spark: a file of properties; cluster mode; an option that is not known' "$(shown args)" "--properties-file
my.conf
--deploy-mode=cluster
--conf
spark.driver.extraClassPath=$core
--conf
spark.executor.extraClassPath=$core:/p.jar
--conf
spark.io.mode.default=NIO
--conf
spark.shuffle.io.mode=NIO
--conf
spark.rpc.io.mode=NIO
--conf
spark.executorEnv.JWEAVE_JOB=DIR/one
--conf
spark.yarn.appMasterEnv.JWEAVE_JOB=DIR/one
--conf
spark.kubernetes.driverEnv.JWEAVE_JOB=DIR/one
--new-option
x
app.jar"
rm spark/conf/spark-defaults.conf

printf '{ "jweave": 1, "rules": [ { "match": "acme.App#work(int)" } ] }\n' >mine.json
try -q --job one -r mine.json -- bin/spark-submit app.jar
like 'spark: rules of one'"'"'s own choose in the application' "$(shown args | tail -n 1)" 'DIR/cache/jweave/run-1/KEY/app.jar'
like 'spark: ... and in all jars' "$(shown args | sed -n 2p)" "spark.driver.extraClassPath=DIR/cache/jweave/run-1/KEY/other.jar:$core"
try --job two --print bin/spark-submit --name 'two words' app.jar
is 'spark: --print' "$(printf '%s\n' "$out" | shown)" "JWEAVE_JOB=DIR/two \\
SPARK_HOME=DIR/spark \\
bin/spark-submit \\
    --name 'two words' \\
    --conf spark.driver.extraClassPath=$core \\
    --conf spark.executor.extraClassPath=$core \\
    --conf spark.io.mode.default=NIO \\
    --conf spark.shuffle.io.mode=NIO \\
    --conf spark.rpc.io.mode=NIO \\
    --conf spark.executorEnv.JWEAVE_JOB=DIR/two \\
    app.jar"
rm -f args && printf '%s\n' "$out" >printed.sh
is 'spark: what is printed runs' "$(sh printed.sh 2>/dev/null; echo $?; ls two | wc -l)" 'ran 42
3
1'
try --job three env A=b bin/spark-submit --master spark://host:7077 app.jar
like 'spark: other hosts need the copies' "$err" "*note: on other hosts the executors need 'DIR/cache/jweave/run-1' and 'DIR/three', too: folders on a shared disk, by XDG_CACHE_HOME and --job*"
mkdir -p three && cd three && JWEAVE=off try ../bin/spark-submit app.jar
cd "$dir" || exit 1
like 'a folder of its own; nothing in it is said, and it goes' "$err" "*warning: there is no recording in 'DIR/three/spark-*': nothing that is woven has run here, or tracing was off"
is '... it is gone' "$(find three -name 'spark-*')" ''
SPARK_HOME=$dir/nowhere try --job one bin/spark-submit app.jar
is 'no Spark' "$status$err" "4jweave: error: the jars of Spark are not found from 'DIR/nowhere': set SPARK_HOME to the folder that has them in jars/"
mkdir -p venv/bin venv/lib/python3.11/site-packages/pyspark && cp -R spark/jars venv/lib/python3.11/site-packages/pyspark/ && cp spark/bin/spark-submit venv/bin/
try --job one venv/bin/spark-submit app.jar
is 'the Spark of a pip: found, and named' "$status$out" '3ran 42'
mv spark/jars/spark-core_2.13-9.9.jar .
try --job one bin/spark-submit app.jar
like 'nothing to weave' "$err" "jweave: warning: the rules choose no method of Spark: nothing is traced*"
is '... it runs as it is' "$(cat args)" app.jar
try spark-submit2 app.jar
like 'a command of no engine' "$status$err" "2jweave: error: 'spark-submit2' is no command of Spark, Hadoop or Flink (spark-submit, hadoop, flink); what starts java itself: jweave run -- spark-submit2*"
try
like 'no command' "$status$err" "2jweave: error: too few operands: jweave submit spark-submit ... | hadoop jar ... | flink run ... (see *"
try --job app.jar bin/spark-submit app.jar
like 'the folder is a file' "$status$err" "?jweave: error: cannot make the folder 'app.jar': *"

# ---- hadoop ----

core=DIR/cache/jweave/run-1/KEY/core.jar
printf '<configuration/>\n' >hadoop/conf/core-site.xml
try --job h hadoop/bin/hadoop jar app.jar wordcount in out
is 'hadoop: without a cluster the command alone' "$status$out $(cat environment | shown)" "0mapped HADOOP_CLASSPATH=$core
HADOOP_USER_CLASSPATH_FIRST=true"
like 'hadoop: what is said' "$err" "jweave: note: wove 1 of 3 methods in 1 class of 'DIR/hadoop/lib/core.jar'*1 recording in 'DIR/h'*"
cat >hadoop/conf/mapred-site.xml <<'X'
<?xml version="1.0"?>
<configuration>
  <property>
    <name>mapreduce.framework.name</name>
    <value> yarn </value>
  </property>
  <property><name>mapred.child.env</name><value>A=1 &amp; 2</value></property>
</configuration>
X
printf '<configuration><property><name>yarn.application.classpath</name><value>/opt/*</value></property></configuration>\n' >hadoop/conf/yarn-site.xml
echo x >hadoop/conf/log4j.properties
HADOOP_CLASSPATH=/theirs.jar try --job h --events=gc,park hadoop/bin/hadoop jar app.jar wordcount -D mapreduce.reduce.env=B=3 -libjars mine.jar in out
is 'hadoop: what it got' "$status $(shown args)" "0 jar
app.jar
wordcount
-D
mapreduce.reduce.env=B=3,JWEAVE_JOB=DIR/h
-libjars
file://$core,mine.jar
in
out"
is 'hadoop: its environment' "$(shown environment | sed 's/conf-......$/conf-X/')" "HADOOP_CLASSPATH=$core:/theirs.jar
HADOOP_CONF_DIR=DIR/h/.hadoop-conf-X
HADOOP_USER_CLASSPATH_FIRST=true"
ours='  <property><name>mapreduce.map.env.JWEAVE_EVENTS</name><value>gc,park</value></property>
  <property><name>mapreduce.reduce.env.JWEAVE_EVENTS</name><value>gc,park</value></property>
  <property><name>yarn.app.mapreduce.am.env.JWEAVE_EVENTS</name><value>gc,park</value></property>
  <property><name>mapreduce.client.libjars.wildcard</name><value>false</value></property>
  <property><name>mapreduce.map.env</name><value>A=1 &amp; 2,JWEAVE_JOB=DIR/h</value></property>
  <property><name>yarn.app.mapreduce.am.env</name><value>JWEAVE_JOB=DIR/h</value></property>
  <property><name>mapreduce.application.classpath</name><value>$PWD/core.jar,$HADOOP_MAPRED_HOME/share/hadoop/mapreduce/*,$HADOOP_MAPRED_HOME/share/hadoop/mapreduce/lib/*</value></property>
  <property><name>yarn.application.classpath</name><value>$PWD/core.jar,/opt/*</value></property>
</configuration>'
is 'hadoop: mapred-site.xml' "$(shown conf-seen/mapred-site.xml | tail -n +7)" "  <property><name>mapred.child.env</name><value>A=1 &amp; 2</value></property>
$ours"
is 'hadoop: yarn-site.xml' "$(shown conf-seen/yarn-site.xml)" "<configuration><property><name>yarn.application.classpath</name><value>/opt/*</value></property>$ours"
is 'hadoop: the rest are links' "$(cd conf-seen && for f in *; do [ -h "$f" ] && echo "$f"; done)" 'core-site.xml
log4j.properties'
is 'hadoop: the folder goes' "$(find h -name '.hadoop*')" ''
try --print --job h hadoop/bin/hadoop --config hadoop/conf jar app.jar
is 'hadoop: --print, --config' "$(printf '%s\n' "$out" | shown | sed 's/conf-....../conf-X/')" "JWEAVE_JOB=DIR/h \\
HADOOP_CLASSPATH=$core \\
HADOOP_USER_CLASSPATH_FIRST=true \\
HADOOP_CONF_DIR=DIR/h/.hadoop-conf-X \\
hadoop/bin/hadoop \\
    --config DIR/h/.hadoop-conf-X \\
    jar \\
    app.jar"
printf '#!/bin/sh\nexit 1\n' >hadoop/bin/yarn && chmod +x hadoop/bin/yarn
try --job h hadoop/bin/yarn jar app.jar
is 'hadoop: it does not say its class path' "$status$err" "4jweave: error: 'hadoop/bin/yarn classpath' has failed"
printf '#!/bin/sh\nhead -c 2000000 /dev/zero | tr "\\0" x\n' >hadoop/bin/yarn
try --job h hadoop/bin/yarn jar app.jar
is 'hadoop: it says too much' "$status$err" "4jweave: error: 'hadoop/bin/yarn classpath' prints more than 1048576 bytes"

# ---- flink ----

cp app.jar flink/lib/other.jar
cat >flink/bin/flink <<'S'
#!/bin/sh
printf '%s\n' "$@" >args
ls -l "$FLINK_LIB_DIR" | sed -n 's/.* \([^ ]* -> .*\)/\1/p' >links
echo "${FLINK_CONF_DIR-none}" >conf-said
java -cp "$FLINK_LIB_DIR/*" org.apache.flink.runtime.taskmanager.Task
S
try --job f flink/bin/flink run -c acme.Main app.jar
is 'flink: output and status' "$status$out" 0flowed
is 'flink: the command stays' "$(cat args)" 'run
-c
acme.Main
app.jar'
is 'flink: what is in its folder' "$(shown links | LC_ALL=C sort)" 'flink-dist.jar -> DIR/cache/jweave/run-1/KEY/flink-dist.jar
other.jar -> DIR/flink/lib/other.jar'
is 'flink: its settings are its own affair' "$(cat conf-said)" none
is 'flink: a recording, and nothing else' "$(ls -d f/*.jwr | wc -l; find f -name '.flink*')" 1
mkdir -p near/lib && cp flink/lib/flink-dist.jar near/lib/ && cp flink/lib/other.jar near/lib/more.jar
FLINK_LIB_DIR=near/lib try --job f flink/bin/flink run
is 'flink: a folder by a relative name' "$status $(shown links | LC_ALL=C sort)" '0 flink-dist.jar -> DIR/cache/jweave/run-1/KEY/flink-dist.jar
more.jar -> DIR/near/lib/more.jar'
try --job f2 flink/bin/start-cluster.sh
is 'flink: what goes on keeps its folder' "$status$(find f2 -name '.flink*' | wc -l)" 01
printf '#!/bin/sh\n' >flink/bin/jobmanager.sh && chmod +x flink/bin/jobmanager.sh
try --job f4 flink/bin/jobmanager.sh start
like 'flink: what has told nothing yet goes on' "$err" "*note: what was started goes on; it records into 'DIR/f4'; where the time went, now or later: jweave report DIR/f4"
printf '#!/bin/sh\nexit 3\n' >flink/bin/jobmanager.sh
try --job f5 flink/bin/jobmanager.sh start
like 'flink: unless it has failed' "$status$err" "3*warning: there is no recording in 'DIR/f5'*"
cp flink/bin/flink flink/bin/sql-client.sh
try --job f3 flink/bin/sql-client.sh
is 'flink: what ends leaves a recording alone' "$status$(find f3 -name '.flink*' | wc -l)" 00
rm flink/lib/*
try --job f flink/bin/flink run
is 'flink: no jars' "$status$err" "4jweave: error: the jars of Flink are not in 'DIR/flink/lib'"
try --job f nice flink
is 'no such command' "$status$err" "4jweave: error: cannot find 'flink'"
finish
