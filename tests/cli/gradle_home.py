#!/usr/bin/env python3
"""gradle_home.py OUT VERSION [REPOSITORY]: a Gradle to test with, OUT/bin/gradle, of the jars that Maven Central has.

Central has no distribution of Gradle, but dev.gradleplugins:gradle-api, the jar that Gradle makes for those who compile
plugins: all of its classes in one file, with the libraries in it renamed to org.gradle.internal.impldep. This lays it out
as a distribution: the classes are in one module, all other modules are jars that only say what they need. What differs:

* no Kotlin DSL, and javac is started, since its in-process compiler is not in the jar (init.d)
* no agent that instruments (gradle.properties)
* classes that run JUnit use that of the project, as in a distribution, and not the renamed one

Ends with status 3, and says so, if the repository has no such jars.
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

SUFFIX = '-classpath.properties'
JUNIT = re.compile(r'org/gradle/api/internal/tasks/testing/junit.*\.class')
RENAMED = [name.encode() for name in ('org/junit', 'org.junit', 'junit/', 'junit.', 'org/opentest4j')]
# bytes of a constant of each tag (JVMS 4.4); a UTF-8 one has its length in it
SIZES = {3: 5, 4: 5, 5: 9, 6: 9, 7: 3, 8: 3, 9: 5, 10: 5, 11: 5, 12: 5, 15: 4, 16: 3, 17: 5, 18: 5, 19: 3, 20: 3}
# modules that are in no list, but asked for
ASKED = ['gradle-instrumentation-agent', 'gradle-kotlin-dsl', 'gradle-kotlin-dsl-provider-plugins', 'gradle-kotlin-dsl-tooling-builders',
         'gradle-daemon-main', 'gradle-daemon-server', 'gradle-public-api', 'gradle-gradle-cli']
INIT = '''allprojects { tasks.withType(JavaCompile).configureEach {
	options.fork = true
	options.forkOptions.executable = new File(System.getProperty('java.home'), 'bin/javac').path
} }
'''


def with_project_junit(data):
    """The class file DATA, with JUnit by its own name in the constant pool."""
    count, at, out, i = struct.unpack('>H', data[8:10])[0], 10, [data[:10]], 1
    while i < count:
        tag = data[at]
        if tag == 1:
            size = struct.unpack('>H', data[at + 1:at + 3])[0]
            text = data[at + 3:at + 3 + size]
            for name in RENAMED:
                prefix = b'org/gradle/internal/impldep/' if b'/' in name else b'org.gradle.internal.impldep.'
                text = text.replace(prefix + name, name)
            out.append(struct.pack('>BH', 1, len(text)) + text)
            at += 3 + size
        else:
            out.append(data[at:at + SIZES[tag]])
            at += SIZES[tag]
            i += tag in (5, 6)
        i += 1
    return b''.join(out) + data[at:]


def classes(api, target):
    """The jar API, with what has to differ, as TARGET."""
    shutil.copyfile(api, target)
    with tempfile.TemporaryDirectory() as work, zipfile.ZipFile(api) as z:
        for name in filter(JUNIT.fullmatch, z.namelist()):
            path = os.path.join(work, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'wb') as f:
                f.write(with_project_junit(z.read(name)))
        subprocess.run(['zip', '-q0r', target, '.'], cwd=work, check=True)
    subprocess.run(['zip', '-qd', target, 'META-INF/INDEX.LIST'], check=False, stdout=subprocess.DEVNULL)


def modules_of(api):
    """What each module says of itself."""
    modules = {}
    with zipfile.ZipFile(api) as z:
        for name in z.namelist():
            if name.endswith(SUFFIX) and '/' not in name:
                modules[name[:-len(SUFFIX)]] = z.read(name).decode()
        lists = list(modules.values()) + [z.read('gradle-%splugins.properties' % kind).decode() for kind in ('', 'implementation-')]
    named = [name for text in lists for line in re.findall(r'^(?:projects|optional|plugins)=(.+)$', text, re.M) for name in line.split(',')]
    for name in named:
        modules.setdefault(name, 'projects=\nruntime=\n')
    everything = ','.join(m for m in modules if not m.startswith(('gradle-plugins', 'gradle-wrapper-main')))
    needs = {'gradle-gradle-cli': everything, 'gradle-daemon-main': 'gradle-launcher', 'gradle-daemon-server': 'gradle-launcher'}
    for name in ASKED:
        modules.setdefault(name, 'projects=%s\nruntime=\n' % needs.get(name, ''))
    return modules


def jar(path, files):
    with zipfile.ZipFile(path, 'w') as out:
        for name, text in files.items():
            out.writestr(name, text)
        if not files:
            out.writestr('empty', '')


def main():
    out, version = sys.argv[1:3]
    m2 = sys.argv[3] if len(sys.argv) > 3 else os.path.expanduser('~/.m2/repository')
    base = f'{m2}/dev/gradleplugins/gradle-api/{version}/gradle-api-{version}'
    libraries = []
    try:
        with open(base + '.pom', encoding='utf-8') as f:
            needs = re.findall(r'<dependency>\s*<groupId>(.*?)</groupId>\s*<artifactId>(.*?)</artifactId>\s*<version>(.*?)</version>', f.read())
        for group, artifact, wanted in needs:
            of_group = m2 + '/' + group.replace('.', '/')
            if artifact == 'groovy-all':
                libraries += [f'{of_group}/{a}/{wanted}/{a}-{wanted}.jar' for a in os.listdir(of_group) if a != 'groovy-all']
            else:  # (Gradle 7 needs parts of Kotlin's library that its POM does not name)
                libraries += [f'{of_group}/{artifact}-{more}/{wanted}/{artifact}-{more}-{wanted}.jar' for more in ('jdk7', 'jdk8')]
                libraries.append(f'{of_group}/{artifact}/{wanted}/{artifact}-{wanted}.jar')
        libraries = sorted({name for name in libraries if os.path.exists(name)})
        found = os.path.exists(base + '.jar') and any('/groovy-json-' in name for name in libraries)
    except OSError:
        found = False
    if not found:
        print(f'no gradle-api {version} in {m2}')
        sys.exit(3)
    lib = out + '/lib'
    for folder in ('bin', 'init.d', 'lib/plugins'):
        os.makedirs(f'{out}/{folder}')
    whole = f'gradle-base-services-{version}.jar'
    classes(base + '.jar', f'{lib}/{whole}')
    names = {os.path.basename(name): name for name in libraries}
    for name, path in names.items():
        os.symlink(path, f'{lib}/{name}')
    modules = modules_of(base + '.jar')
    more = ''.join(name + ',' for name in names if name.startswith('kotlin-stdlib-jdk'))
    modules['gradle-core'] = modules['gradle-core'].replace('runtime=', 'runtime=' + more)
    for module, text in modules.items():
        files = {module + SUFFIX: text}
        if module in ('gradle-launcher', 'gradle-daemon-main', 'gradle-worker'):
            files['META-INF/MANIFEST.MF'] = f'Manifest-Version: 1.0\nClass-Path: {whole}\n\n'
        if module != 'gradle-base-services':
            jar(f'{lib}/{"plugins/" if module.startswith("gradle-plugins") else ""}{module}-{version}.jar', files)
    for line in re.findall(r'^runtime=(.+)$', '\n'.join(modules.values()), re.M):
        for name in set(line.split(',')) - set(names):
            jar(f'{lib}/{name}', {})
    with open(out + '/init.d/javac.gradle', 'w', encoding='utf-8') as f:
        f.write(INIT)
    with open(out + '/gradle.properties', 'w', encoding='utf-8') as f:
        f.write('org.gradle.internal.instrumentation.agent=false\nsystemProp.org.gradle.internal.instrumentation.agent=false\n')
    with open(out + '/bin/gradle', 'w', encoding='utf-8') as f:
        f.write('#!/bin/sh\nexec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xmx256m -Dorg.gradle.internal.instrumentation.agent=false '
                f'-Dorg.gradle.appname=gradle -cp \'{os.path.abspath(lib)}/{whole}\' org.gradle.launcher.GradleMain "$@"\n')
    os.chmod(out + '/bin/gradle', 0o755)


main()
