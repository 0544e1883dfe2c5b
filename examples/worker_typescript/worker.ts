// A memory in TypeScript that speaks the worker protocol: messages that share words with the question.
// docs/worker_protocol.md has every request; this file answers those that all must, and the listing.
import { createInterface } from "node:readline";

type Message = {
  message_id: string; session_id: string; text: string; speaker: string;
  role: string; said_at: string | null; channel: string;
};
type Item = { message: Message; score: number };
type Unit = { unit_id: string; text: string; sources: string[]; said_at: string | null };
type Request =
  | { id: number; do: "hello"; protocol: number }
  | { id: number; do: "open"; config: { least?: number }; folder: string; namespace: string; seed: number }
  | { id: number; do: "write"; batch: { text: string; messages: Message[] } }
  | { id: number; do: "search"; cue: { text: string; limit: number; asked_at: string | null } }
  | { id: number; do: "settle" | "units" | "close" };

const messages: Message[] = [];
let least = 1;

function words(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function search(cue: string, limit: number): Item[] {
  const wanted = words(cue);
  const found = messages.map((message) => {
    const shared = [...words(message.text)].filter((word) => wanted.has(word));
    return { message, score: shared.length };
  });
  return found
    .filter((item) => item.score >= least)
    .sort((one, other) => other.score - one.score) // stable: equal scores stay in the order of writing
    .slice(0, limit);
}

function unit(message: Message): Unit {
  const { message_id, text, said_at } = message;
  return { unit_id: message_id, text, sources: [message_id], said_at };
}

function answer(request: Request): object {
  switch (request.do) {
    case "hello":
      return {
        protocol: 1, adapter: "words-ts", versions: { words: "1" }, can: ["listing"],
        traits: { keeps: "all", score: "similarity" },
      };
    case "open":
      least = request.config.least ?? 1;
      return {};
    case "write":
      messages.push(...request.batch.messages);
      return { status: "stored", unit_ids: request.batch.messages.map((message) => message.message_id) };
    case "search":
      return { items: search(request.cue.text, request.cue.limit) };
    case "units":
      return { units: messages.map(unit) };
    case "settle":
    case "close":
      return {};
  }
  throw new Error("this request is not known");
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  try {
    console.log(JSON.stringify({ id: request.id, ok: answer(request) }));
  } catch (error) {
    const told = { kind: "raised", message: String(error) };
    console.log(JSON.stringify({ id: request.id, error: told }));
  }
  if (request.do === "close") break;
}
