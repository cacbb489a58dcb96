/** Programs that walk by themselves: forms of pages, XML that Java writes, and files that stay current. */

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../../test/support/service/command.ts';
import { pythonProgram } from '../../python.ts';
import type { Given } from '../part.ts';
import { pathOf } from '../tools.ts';

const SUITES = join(import.meta.dirname, '..');
const JAXB = ['org.glassfish.jaxb', 'jaxb-runtime', '4.0.5'] as const;

/** Runs a program to its end. Returns what it prints. @throws with its output if it fails */
async function done(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, log, stdout } = await command(program, args, { cwd });
  assert.equal(code, 0, log.slice(-2000));
  return String(stdout).trim();
}

/** Installs JAXB in a folder. Returns the path of its classes. */
async function jaxbIn(folder: string): Promise<string> {
  await mkdir(folder);
  const [groupId, artifactId, version] = JAXB.map((text) => `${text}`);
  const project = `<project><modelVersion>4.0.0</modelVersion><groupId>walks</groupId><artifactId>walks</artifactId>
<version>1</version><dependencies><dependency><groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId>
<version>${version}</version></dependency></dependencies></project>`;
  await writeFile(join(folder, 'pom.xml'), project);
  await done(
    pathOf('mvn'),
    ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=classes'],
    folder,
  );
  return join(folder, 'classes', '*');
}

/** Checks that each program ends well. */
export async function programs({ service, check }: Given): Promise<void> {
  const { folder, url } = service;
  await check('mechanize: the forms of a member with a photo', async () => {
    const program = join(import.meta.dirname, 'mechanized.py');
    assert.equal(await done(pythonProgram(SUITES, 'python'), [program, url], folder), 'ok');
  });
  await check(
    'HttpURLConnection, as of Java 11: lists, items, forms, an order and a large file',
    async () => {
      const args = ['--source', '11', join(import.meta.dirname, 'Connection.java'), url];
      assert.equal(await done(pathOf('java'), args, folder), 'ok');
    },
  );
  await check('JAXB: XML with xsi:nil and another encoding in its declaration', async () => {
    const classes = await jaxbIn(join(folder, 'jaxb'));
    const args = ['-cp', classes, join(import.meta.dirname, 'Jaxb.java'), url];
    assert.equal(await done(pathOf('java'), args, folder), 'ok');
  });
  await check(
    'XmlSerializer of .NET: XML that says UTF-16 and is UTF-8, and a PUT under a condition',
    async () => {
      const built = join(folder, 'Serialized.exe');
      const source = join(import.meta.dirname, 'Serialized.cs');
      await done(pathOf('mcs'), ['-r:System.Net.Http.dll', `-out:${built}`, source], folder);
      assert.equal(await done(pathOf('mono'), [built, url], folder), 'ok');
    },
  );
  await check('wget: an item in JSON, and a file that stays current by its date', async () => {
    const wget = (...args: string[]) => done(pathOf('wget'), ['-q', ...args], folder);
    const json = ['--header=Content-Type: application/json', '--post-data={"name":"Wget"}', '-O', '-'];
    assert.equal(JSON.parse(await wget(...json, `${url}/customers`)).name, 'Wget');
    for (const text of ['one', 'two']) {
      await service.client('PUT', '/files/current.txt', { body: text });
      // The date of a change is sent when its second is over.
      await new Promise((resolve) => setTimeout(resolve, 1100));
      for (const _ of [1, 2]) await wget('-N', `${url}/files/current.txt`);
      assert.equal(await readFile(join(folder, 'current.txt'), 'utf8'), text);
    }
  });
  await check('rclone: the list of files on its page, and a copy that stays current', async () => {
    const rclone = (...args: string[]) => done(pathOf('rclone'), ['--config=', ...args], folder);
    const listed = await rclone(
      `--http-url=${url}/`,
      '--http-headers=Accept,text/html',
      'lsf',
      ':http:files/',
    );
    assert.ok(listed.split('\n').includes('current.txt'), listed);
    for (const text of ['three', 'four']) {
      await service.client('PUT', '/files/current.txt', { body: text });
      await rclone(`--http-url=${url}/files/`, 'copyto', ':http:current.txt', 'copied.txt');
      assert.equal(await readFile(join(folder, 'copied.txt'), 'utf8'), text);
    }
  });
}
