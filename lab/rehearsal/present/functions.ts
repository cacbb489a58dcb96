import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { type Deployed, ofType, type Properties, physical, resolveReference } from './deployed.ts';

/** A value without references, or a dynamic reference to a secret, which moto does not resolve. */
const RESOLVED = /^(?:[^{}<>]*|\{\{resolve:secretsmanager:[^{}<>]+\}\})$/;

interface Alias {
  readonly Name: string;
  readonly FunctionName: { readonly Ref: string };
  readonly FunctionVersion: { readonly 'Fn::GetAtt': readonly [version: string, attribute: 'Version'] };
}

/** Checks code, memory, time-outs and environments of the functions, and the versions of their aliases. */
export function functions({ template, there }: Deployed): void {
  for (const [id, { Properties = {} }] of ofType(template, 'AWS::Lambda::Function')) {
    const made = there.functions[physical(there, id)];
    ok(made, id);
    ok(made.CodeSize > 0, id);
    const { Runtime, Handler, MemorySize, Timeout } = made;
    const said = ['Runtime', 'Handler', 'MemorySize', 'Timeout'].map((name) => Properties[name]);
    deepStrictEqual([Runtime, Handler, MemorySize, Timeout], said, id);
    const { Variables = {} } = (Properties.Environment ?? {}) as { Variables?: Properties };
    for (const [name, value] of Object.entries(Variables)) {
      const actual: string | undefined = made.Environment.Variables[name];
      strictEqual(actual, resolveReference(there, value) ?? actual, `${id} has ${name}`);
      ok(actual !== undefined && RESOLVED.test(actual), `${id} has ${name}: ${actual}`);
    }
  }
  for (const [id, { Properties = {} }] of ofType(template, 'AWS::Lambda::Alias')) {
    const { FunctionName, FunctionVersion, Name } = Properties as unknown as Alias;
    const [live] = there.functions[physical(there, FunctionName.Ref)]?.aliases ?? [];
    const version = physical(there, FunctionVersion['Fn::GetAtt'][0]).split(':').at(-1);
    deepStrictEqual([live?.Name, live?.FunctionVersion], [Name, version], id);
  }
}
