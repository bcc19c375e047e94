/** How a person signs in, and who a token is. */
import { type Static, Type } from '@sinclair/typebox';
import { ChoiceField, IdField, NameField, TimeField } from '../../forms/field-types';

const OidcClientSchema = Type.Object(
  {
    issuer: Type.String(),
    authorization_endpoint: Type.String(),
    token_endpoint: Type.String(),
    client_id: Type.String({ description: 'A public client' }),
    scope: Type.String(),
  },
  { description: 'For the code flow with PKCE, where oidc is a way' },
);

export const SignInWaysSchema = Type.Object({
  identity: ChoiceField(['none', 'token', 'keystone', 'oidc', 'kubernetes'], 'The setting PARLEY_AUTH of the service'),
  ways: Type.Array(ChoiceField(['none', 'token', 'password', 'oidc'], 'A way to sign in'), {
    description: 'none: nobody needs a token; token: paste one; password: POST /v1/sign-in; oidc: at the issuer',
  }),
  oidc: Type.Optional(OidcClientSchema),
  temporal_ui_url: Type.Optional(
    Type.String({ description: "Temporal's Web UI: a session's workflow is at this address, a slash and its ID" }),
  ),
});
export type SignInWaysBody = Static<typeof SignInWaysSchema>;

export const SignInSchema = Type.Object(
  {
    user: NameField("The user's name in Keystone"),
    password: Type.String({ minLength: 1, maxLength: 4_096, description: 'Neither stored nor logged' }),
    user_domain: Type.Optional(NameField("The name of the user's domain; left out: Default")),
    project: Type.Optional(NameField("The project's name; left out: the user's default project")),
    project_domain: Type.Optional(NameField("The name of the project's domain; left out: Default")),
  },
  { additionalProperties: false },
);

export const SignedInSchema = Type.Object({
  token: Type.String({ description: 'For the header X-Auth-Token, or Authorization: Bearer; a secret' }),
  expires_at: TimeField('When the token ends'),
});
export type SignedInBody = Static<typeof SignedInSchema>;

export const WhoamiSchema = Type.Object({
  role: ChoiceField(['admin', 'project'], 'The role of the token'),
  cloud_name: Type.String({ description: 'The cloud of this service: the setting PARLEY_CLOUD_NAME, else its kind' }),
  name: Type.Optional(Type.String({ description: 'Who it is, as the audit names callers' })),
  project_id: Type.Optional(IdField("Project of a project's token")),
  project_name: Type.Optional(Type.String({ description: 'Name of the project, when the identity service tells it' })),
  expires_at: Type.Optional(TimeField('End of the token, if it has one')),
});
export type WhoamiBody = Static<typeof WhoamiSchema>;
