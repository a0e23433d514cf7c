// The tools, resources and prompts that the conformance suite asks a server for, whatever they are served by.

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";
const text = (value) => ({ type: "text", text: value });
const image = { type: "image", data: PNG, mimeType: "image/png" };
const embedded = (uri, mimeType, value) => ({ type: "resource", resource: { uri, mimeType, text: value } });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const elicit = (extra, message, requestedSchema) => extra.ask("elicitation/create", { message, requestedSchema });
const options = (names) => names.map((name) => ({ const: name, title: name.toUpperCase() }));

const TOOLS = {
  test_simple_text: () => [text("This is a simple text response for testing.")],
  test_image_content: () => [image],
  test_audio_content: () => [{ type: "audio", data: WAV, mimeType: "audio/wav" }],
  test_embedded_resource: () => [
    embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ],
  test_multiple_content_types: () => [
    text("Multiple content types test:"),
    image,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ],
  test_tool_with_logging: async (_, extra) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      extra.notify("notifications/message", { level: "info", data });
      await pause(50);
    }
    return [text("logged")];
  },
  test_error_handling: () => {
    throw new Error("This tool intentionally returns an error for testing");
  },
  test_tool_with_progress: async (_, extra) => {
    const progressToken = extra.meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100]) {
      extra.notify("notifications/progress", { progressToken, progress, total: 100 });
      await pause(50);
    }
    return [text(String(progressToken))];
  },
  test_sampling: async ({ prompt }, extra) => {
    const params = { messages: [{ role: "user", content: text(prompt) }], maxTokens: 100 };
    const answer = await extra.ask("sampling/createMessage", params);
    return [text(`LLM response: ${answer.content.text}`)];
  },
  test_elicitation: async ({ message }, extra) => {
    const schema = {
      type: "object",
      properties: {
        username: { type: "string", description: "User's response" },
        email: { type: "string", description: "User's email address" },
      },
      required: ["username", "email"],
    };
    const answer = await elicit(extra, message, schema);
    return [text(`User response: action: ${answer.action}, content: ${JSON.stringify(answer.content ?? {})}`)];
  },
  test_elicitation_sep1034_defaults: async (_, extra) => {
    const schema = {
      type: "object",
      properties: {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      },
      required: [],
    };
    const answer = await elicit(extra, "Please review the defaults", schema);
    return [text(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`)];
  },
  test_elicitation_sep1330_enums: async (_, extra) => {
    const three = ["option1", "option2", "option3"];
    const schema = {
      type: "object",
      properties: {
        untitledSingle: { type: "string", enum: three },
        titledSingle: { type: "string", oneOf: options(["value1", "value2", "value3"]) },
        legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["One", "Two", "Three"] },
        untitledMulti: { type: "array", items: { type: "string", enum: three } },
        titledMulti: { type: "array", items: { anyOf: options(["value1", "value2", "value3"]) } },
      },
      required: [],
    };
    const answer = await elicit(extra, "Please choose", schema);
    return [text(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`)];
  },
  json_schema_2020_12_tool: () => [text("ok")],
  test_reconnection: async (_, extra) => {
    extra.closeStream?.();
    await pause(200);
    return [text("The client came back for this.")];
  },
};
const SCHEMA_2020 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: { address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
  properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
  additionalProperties: false,
};

const PROMPTS = {
  test_simple_prompt: () => [text("This is a simple prompt for testing.")],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    embedded(resourceUri, "text/plain", "Embedded resource content for testing."),
    text("Please process it."),
  ],
  test_prompt_with_image: () => [image, text("Please analyze the image above.")],
};
const ARGUMENTS = {
  test_prompt_with_arguments: [
    { name: "arg1", required: true },
    { name: "arg2", required: true },
  ],
  test_prompt_with_embedded_resource: [{ name: "resourceUri", required: true }],
};
const RESOURCES = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PNG },
  "test://watched-resource": { mimeType: "text/plain", text: "Watched resource content" },
  "test://template/123/data": {
    mimeType: "application/json",
    text: '{"id":"123","templateTest":true,"data":"Data for ID: 123"}',
  },
};

export const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
};
export const SERVER_INFO = { name: "conformance", version: "1.0.0" };

/** Answers by method; `extra` has ways to ask and to notify the client. */
export const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: CAPABILITIES,
    serverInfo: SERVER_INFO,
  }),
  ping: () => ({}),
  "logging/setLevel": () => ({}),
  "resources/subscribe": () => ({}),
  "resources/unsubscribe": () => ({}),
  "completion/complete": () => ({ completion: { values: [], total: 0, hasMore: false } }),
  "tools/list": () => ({
    tools: Object.keys(TOOLS).map((name) => ({
      name,
      description: `Conformance tool ${name}`,
      inputSchema: name === "json_schema_2020_12_tool" ? SCHEMA_2020 : { type: "object", properties: {} },
    })),
  }),
  "tools/call": async ({ name, arguments: args = {}, _meta: meta }, extra) => {
    try {
      return { content: await TOOLS[name](args, { ...extra, meta }) };
    } catch (error) {
      return { content: [text(error.message)], isError: true };
    }
  },
  "prompts/list": () => ({
    prompts: Object.keys(PROMPTS).map((name) => ({ name, description: name, arguments: ARGUMENTS[name] ?? [] })),
  }),
  "prompts/get": ({ name, arguments: args = {} }) => ({
    messages: PROMPTS[name](args).map((content) => ({ role: "user", content })),
  }),
  "resources/list": () => ({
    resources: Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({ uri, name: uri, mimeType })),
  }),
  "resources/templates/list": () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" }],
  }),
  "resources/read": ({ uri }) => ({ contents: [{ uri, ...RESOURCES[uri] }] }),
};
