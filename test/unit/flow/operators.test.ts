import { describe, expect, test } from '@jest/globals';
import { members } from '../../../functions/members.ts';
import { filterParameters } from '../../../openapi/requests/query.ts';
import { sightOf } from '../../../shared/resource/access/sight.ts';
import { OPERATORS, operatorOf } from '../../../shared/resource/kinds/operators.ts';
import { listTemplate } from '../../../shared/resource/list-template.ts';
import { matches } from '../../../shared/resource/lists/filter.ts';
import { comparisonOf } from '../../../shared/resource/lists/filter-parameter.ts';
import { descriptionOf } from '../../../shared/resource/resource.ts';

const reader = {};
const operators = Object.entries(OPERATORS);

describe.each(operators)('the operator %s', (operator, { suffix, accepts }) => {
  const parameter = suffix === undefined ? 'name' : `name.${suffix}`;

  test('is a parameter of lists', () => {
    expect(operatorOf(suffix)).toBe(operator);
    expect(comparisonOf(members, parameter, reader)).toMatchObject({ name: 'name', operator });
  });

  test('is in the template of the list and in the API description', () => {
    const template = listTemplate(members, '/members', sightOf(descriptionOf(members), reader));
    expect(template.slice(template.indexOf('{?')).match(/[\w.]+/g)).toContain(parameter);
    const described = filterParameters(members).some(
      ({ name, schema }) =>
        name === parameter ||
        Object.keys(schema.patternProperties ?? {}).some((pattern) => new RegExp(pattern).test(parameter)),
    );
    expect(described).toBe(true);
  });

  test('accepts the values that the table says', () => {
    const isMet = (value: string) =>
      matches({ field: 'name', operator: operatorOf(suffix) ?? '=', values: ['b'] }, value);
    const expected =
      typeof accepts === 'string'
        ? [false, true, true]
        : ([-1, 0, 1] as const).map((one) => accepts.includes(one));
    expect(['a', 'b', 'bb'].map(isMet)).toEqual(expected);
  });
});
