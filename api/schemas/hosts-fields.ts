/** The fields by which a create request says which hosts it is about. */
import { Type } from '@sinclair/typebox';
import { NameField } from '../../forms/field-types';

const closed = { additionalProperties: false } as const;

const SelectSchema = Type.Object(
  {
    labels: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        description:
          'Hosts with these labels, beside those of hosts: a selector in the grammar of Kubernetes, such as ' +
          '"zone=a,rack in (r1,r2),!spare". GET /v1/choices shows the labels of hosts',
      }),
    ),
    except: Type.Optional(
      Type.Array(NameField('Name of the host in the cloud'), { description: 'Hosts that are left out all the same' }),
    ),
  },
  {
    ...closed,
    description:
      'Selects hosts when the session is created; it keeps them whatever their labels become. An addition to the ' +
      'interface',
  },
);

export const hostsFields = {
  hosts: Type.Optional(
    Type.Array(NameField('Name of the host in the cloud'), {
      description: "Hosts to maintain; empty or absent: those that select.labels selects, or else all of the cloud's",
    }),
  ),
  select: Type.Optional(SelectSchema),
} as const;
