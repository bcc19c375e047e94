/** Splits a body that comes bit by bit into its lines. The last one needs no line end. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const pieces = `${rest}${decoder.decode(bytes, { stream: true })}`.split('\n');
    rest = pieces.pop() ?? '';
    yield* pieces.filter((line) => line !== '');
  }
  if (rest !== '') yield rest;
}
