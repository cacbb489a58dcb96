const text = { type: 'string' };
const array = (items: object) => ({ type: 'array', items });

/** The schema of a form in JSON, which the description leaves out. */
export const FORM_SCHEMA = {
  type: 'object',
  required: ['title', 'method', 'action', 'enctype', 'fields', 'links'],
  properties: {
    title: text,
    method: { enum: ['POST'] },
    action: text,
    enctype: { enum: ['application/x-www-form-urlencoded', 'multipart/form-data'] },
    fields: array({
      type: 'object',
      required: ['name', 'label', 'type', 'required', 'value'],
      properties: {
        name: text,
        label: text,
        type: text,
        required: { type: 'boolean' },
        value: text,
        hint: text,
        choices: array(text),
      },
    }),
    links: array({ type: 'object', required: ['rel', 'href', 'method'] }),
  },
};
