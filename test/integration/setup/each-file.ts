/** Real services answer in their own time: longer than Jest's 5 seconds, and never for ever. */
jest.setTimeout(60_000);
