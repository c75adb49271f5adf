// SARIF as its own schema (2.1.0, from the package schemastore) has it: of a violation, a hang and a pass;
// and a broken one, which the schema must refuse.
//
// Usage: node sarif_test.mjs CQFUZZ VIOLATION_CASE FAULT HANG_CASE. Exit code 0; 1: something is wrong.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';

const [cqfuzz, violation, fault, hang] = process.argv.slice(2);
const schema = createRequire(import.meta.url)('schemastore/schemas/json/sarif-2.1.0.json');
// One of its patterns is no regular expression where Unicode is on.
const ajv = new Ajv({strict: false, allErrors: true, unicodeRegExp: false});
addFormats(ajv);
const validate = ajv.compile(schema);
const folder = mkdtempSync(join(tmpdir(), 'cqfuzz-sarif-'));

const sarifOf = (file, extra) => {
  const path = join(folder, 'out.sarif');
  rmSync(path, {force: true});
  const run = spawnSync(cqfuzz, ['run', file, ...extra, '--sarif', path], {encoding: 'utf8'});
  const log = JSON.parse(readFileSync(path, 'utf8'));
  assert.ok(validate(log), run.args + ': ' + ajv.errorsText(validate.errors));
  return log;
};

try {
  const found = sarifOf(violation, ['--fault', fault]);
  assert.equal(found.runs[0].results.length, 1);
  assert.equal(found.runs[0].results[0].level, 'error');
  assert.match(found.runs[0].results[0].ruleId, /^page-ownership\//);
  assert.equal(sarifOf(hang, []).runs[0].results.length, 1);
  assert.equal(sarifOf(violation, ['--fault', 'none']).runs[0].results.length, 0);
  found.runs[0].results[0].level = 'catastrophe';
  assert.ok(!validate(found), 'a broken log passes');
} finally {
  rmSync(folder, {recursive: true, force: true});
}
console.log('SARIF of a violation, a hang and a pass is valid');
