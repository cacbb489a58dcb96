import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Decimal } from '../../json/decimal.ts';
import { AUTHORS } from '../../resource/access/sight.ts';
import { attributeOf, hasOtherForms } from '../../resource/description/attribute.ts';
import type { Description, Scalar } from '../../resource/description/description.ts';
import { type Filter, matches, propertyOf } from '../../resource/lists/filter.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { fromAttributes, text } from '../form/attributes.ts';
import { CREATED, CREATED_BY, type Index, OPEN, SCHEMA, UPDATED, UPDATED_BY } from '../form/table.ts';
import { and, beginsWith, type Condition, compare, contains, or } from '../write/expression.ts';

/** More values would make an expression too long. DynamoDB accepts 4 KB and 300 operators. */
const VALUES_IN_EXPRESSION = 150;
/** The digits and the exponents of a number in DynamoDB. Source: Amazon DynamoDB Developer Guide, "Data types". */
const DIGITS = 38;
const EXPONENTS = 125;

/** Filters of stored rows. */
export class StoredFilters {
  readonly #description: Description;
  readonly #filters: readonly Filter[];

  constructor(description: Description, filters: readonly Filter[]) {
    this.#description = description;
    this.#filters = filters;
  }

  /** True if the row of an item meets all filters. */
  keeps(row: Attributes): boolean {
    if (this.#filters.length === 0) return true;
    const item = fromAttributes(this.#description, row);
    return this.#filters.every((filter) =>
      matches(filter, propertyOf(this.#description, item, filter.field)),
    );
  }

  /** The attributes that `keeps` needs. */
  get attributes(): string[] {
    return this.#filters.flatMap(({ field }) => [...attributesOf(this.#description, field), OPEN, SCHEMA]);
  }

  /**
   * The condition of those filters that DynamoDB can evaluate. It excludes no row that meets all filters.
   *
   * Source: Amazon DynamoDB API Reference, Query, FilterExpression: no attributes of the index's key.
   */
  expression(index: Index): Condition | undefined {
    let left = VALUES_IN_EXPRESSION;
    const conditions = this.#filters.flatMap(({ field, operator, values }) => {
      const [attribute] = attributesOf(this.#description, field);
      const declared = this.#description.fields[field];
      const hasSeveralForms =
        declared?.kind === 'any' || hasOtherForms(declared) || Object.hasOwn(AUTHORS, field);
      const isKey = attribute === index.partition || attribute === index.sort.name;
      const isKnown =
        operator !== 'words' && values.length > 0 && values.length <= left && values.every(isStorable);
      if (isKey || hasSeveralForms || !isKnown) return [];
      left -= values.length;
      const own = values.map((value) =>
        operator === 'prefix'
          ? beginsWith(attribute, attributeValue(value))
          : compare(attribute, operator, attributeValue(value)),
      );
      // A client may have set the property before it was declared.
      const undeclared = this.#description.open ? [contains(OPEN, text(`${JSON.stringify(field)}:`))] : [];
      return [or(...own, ...undeclared)];
    });
    return conditions.length > 0 ? and(...conditions) : undefined;
  }
}

/** Returns the attributes that hold the value of a property. The value of an author needs the time too. */
function attributesOf(description: Description, field: string): readonly [string, ...string[]] {
  switch (field) {
    case 'createdAt':
      return [CREATED];
    case 'updatedAt':
      return [UPDATED];
    case 'createdBy':
      return [CREATED_BY, CREATED];
    case 'updatedBy':
      return [UPDATED_BY, UPDATED];
    default:
      return [attributeOf(description, field)];
  }
}

const isStorable = (value: Scalar): boolean =>
  !(value instanceof Decimal) || (value.digits <= DIGITS && Math.abs(value.exponent) <= EXPONENTS);

function attributeValue(value: Scalar): AttributeValue {
  if (typeof value === 'boolean') return { BOOL: value };
  return value instanceof Decimal ? { N: value.text } : text(value);
}
