/** The body of every error. */
import { Type } from '@sinclair/typebox';

export const FieldErrorSchema = Type.Object({
  pointer: Type.String({ description: 'JSON pointer into the body; #path/…, #query/… and #header/… name other parts' }),
  message: Type.String(),
});

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'URN of the kind of problem' }),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.String({ description: 'Stable, for programs' }),
    detail: Type.String({ description: 'The problem, for people' }),
    errors: Type.Array(FieldErrorSchema, { description: 'All wrong fields' }),
    hint: Type.String({ description: 'What to do' }),
  },
  { description: 'Problem details, RFC 9457' },
);
