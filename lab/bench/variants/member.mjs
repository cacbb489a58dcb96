/** A member in the form in which DynamoDB sends it. */
export const attributes = (id) => ({
  id: { N: String(id) },
  _version: { N: '1' },
  _created: { N: '1780000000000' },
  _updated: { N: '1780000000000' },
  username: { S: 'ada' },
  name: { S: 'Ada Byron' },
  email: { S: 'ada@example.com' },
  age: { N: '36' },
});
