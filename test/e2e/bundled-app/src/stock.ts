/** A port that refuses connections. */
const warehouse = 'http://127.0.0.1:9/stock';

export async function reserve(article: string): Promise<boolean> {
  return (await ask(article)).ok;
}

const ask = async (article: string): Promise<Response> => {
  try {
    return await fetch(`${warehouse}?article=${article}`);
  } catch (cause) {
    throw new Error('The warehouse does not answer', { cause });
  }
};
