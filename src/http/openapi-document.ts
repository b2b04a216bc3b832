/** The parts of an OpenAPI 3.1 document that we use. openapi.ts writes it and api-docs-page.ts renders it. */
export type OpenApi = {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: ReadonlyArray<{ readonly url: string }>;
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Content }>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
};

export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly SecurityNeed[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
  /** The permission that the session or key needs. */
  readonly 'x-permission'?: string;
  /** The responses of a postback, which merchants' servers branch on. */
  readonly 'x-reasons'?: ReadonlyArray<Omit<PostbackReason, 'example'>>;
};

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
};
export type Content = Readonly<
  Record<string, { readonly schema: Schema; readonly example?: unknown; readonly examples?: Readonly<Record<string, Example>> }>
>;
export type Example = { readonly summary: string; readonly value: unknown };
export type Response = { readonly $ref: string } | { readonly description: string; readonly content?: Content };
export type SecurityNeed = Readonly<Record<string, readonly string[]>>;

export type PostbackReason = {
  readonly reason: string;
  readonly status: number;
  readonly retry: 'never' | 'backoff' | 'daily' | null;
  readonly means: string;
  /** The body of a response with this reason. */
  readonly example: object;
};

/** The parts of JSON Schema that our schemas use. */
export type Schema = {
  readonly $ref?: string;
  /** Names the shape: openapi-named-schemas.ts moves a response's schema with a title to `components.schemas`. */
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
};
