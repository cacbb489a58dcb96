import { callerHash } from '../shared/resource/access/owner.ts';

const { AUDIT_KEY: key = '' } = process.env;
const [subject, ...others] = process.argv.slice(2);

if (subject === undefined || others.length > 0 || key === '') {
  console.error(`AUDIT_KEY=KEY audit-hash SUBJECT
  SUBJECT    the value of sub in the tokens of the caller
  AUDIT_KEY  the key of the deployment: docs/logs.md says where it is`);
  process.exitCode = 2;
} else console.log(callerHash(key, subject));
