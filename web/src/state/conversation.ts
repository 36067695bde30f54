/** One open conversation: loads it, asks, follows the answer, stops, retries, uploads. No markup. */
import { api, Problem, streamOf, upload } from "../api/client";
import { followTurn, isUnreachable, type Start } from "../api/follow";
import { mayHaveMissed, onNews, type News } from "../api/news";
import {
  asking,
  askingAgain,
  changeEntry,
  chatOf,
  datasetOf,
  goingOn,
  lastTurn,
  NO_REASON,
  opened,
  received,
  turnOf,
  withStoredSources,
  type Chat,
  type Why,
} from "./chat";
import type { Wire } from "../api/wire";
import type { Json, Numbered } from "./events";
import { createStore, type Store } from "./store";

export interface Uploading {
  name: string;
  /** Of the file sent; once the server has it all, of the reading done. */
  share: number;
  reading: boolean;
}

export interface Open {
  chat: Chat | null;
  /** A turn runs, or its stream is being followed. */
  busy: boolean;
  connection: "fine" | "lost";
  uploading: Uploading | null;
  /** Something the person should read. */
  problem: unknown;
  /** A question that could not be sent: it goes back where it was typed. */
  unsent: string | null;
  /** What was to go with it. */
  unsentFiles: File[];
}

export type Decision = Wire["Decision"];

const READING_EVERY = 500;
const CLOSED: Open = { chat: null, busy: false, connection: "fine", uploading: null, problem: null, unsent: null, unsentFiles: [] };

export class Conversation {
  readonly store: Store<Open> = createStore(CLOSED);
  private following: AbortController | null = null;
  private uploads: AbortController | null = null;
  private readonly files = new Map<string, File>();
  private waiting: Numbered[] = [];
  private scheduled = false;
  private feedbackSent: Promise<void> = Promise.resolve();
  private lastEventId: string | null = null;
  private readonly deaf: () => void;
  private readonly sought = new Set<string>();

  constructor(
    readonly id: string,
    private readonly onListChange: () => void = () => undefined,
  ) {
    this.deaf = onNews((item) => this.hear(item));
  }

  async load(): Promise<void> {
    try {
      const stored = await api.get("/conversations/{id}", this.at);
      this.change({ chat: chatOf(stored), problem: null });
      if (stored.status === "running" || stored.status === "waiting") void this.follow({});
    } catch (problem) {
      this.change({ problem });
    }
  }

  close(): void {
    this.deaf();
    this.following?.abort();
    this.uploads?.abort();
  }

  /** Ask a question, with images and documents if there are any: they are sent first. */
  async ask(content: string, files: File[] = []): Promise<void> {
    const { chat: before, busy, uploading } = this.store.get();
    if (!before || busy || uploading) return;
    const giveBack = (problem?: unknown) =>
      this.change({ chat: before, uploading: null, unsent: content, unsentFiles: files, ...(problem !== undefined && { problem }) });
    this.change({ problem: null, unsent: null, unsentFiles: [] });
    let sent: Wire["AttachmentOut"][];
    try {
      sent = await this.attach(files);
    } catch (problem) {
      giveBack(this.uploads?.signal.aborted ? null : problem);
      return;
    }
    const body = { content, attachments: sent.map((one) => one.id) };
    this.change({ uploading: null, chat: asking(before, content, timestamp(), sent) });
    await this.follow({ begin: (signal) => streamOf("post", "/conversations/{id}/messages", { ...this.at, body, signal }) }, () => giveBack());
    if (!before.title) void this.refreshTitle();
    this.onListChange();
  }

  private async attach(files: File[]): Promise<Wire["AttachmentOut"][]> {
    const sent: Wire["AttachmentOut"][] = [];
    if (files.length) this.uploads = new AbortController();
    for (const file of files) {
      const progress = (share: number) => this.change({ uploading: { name: file.name, share, reading: false } });
      progress(0);
      sent.push(await upload("/conversations/{id}/attachments", this.at.path, { file }, progress, this.uploads?.signal));
    }
    return sent;
  }

  /** Continue a failed or stopped turn. */
  async retry(): Promise<void> {
    await this.again((before) => goingOn(before), {});
  }

  /** Ask a question again, in the same words or others; what stood there stays as another version. */
  async askAgain(key: string, content?: string): Promise<void> {
    const chat = this.store.get().chat;
    const question = chat?.entries.find((entry) => entry.key === key);
    if (!chat || question?.kind !== "question") return;
    const words = content ?? question.text;
    const turn_id = turnOf(chat, key);
    await this.again((before) => askingAgain(before, key, words, timestamp()), { content: words, ...(turn_id && { turn_id }) });
  }

  private async again(shown: (before: Chat) => Chat, body: { content?: string; turn_id?: string }): Promise<void> {
    const before = this.store.get().chat;
    if (!before || this.store.get().busy) return;
    this.change({ problem: null, chat: shown(before) });
    await this.follow({ begin: (signal) => streamOf("post", "/conversations/{id}/retry", { ...this.at, body, signal }) }, () => this.change({ chat: before }));
    this.onListChange();
  }

  /** Show another version of a question, and what followed it: from now on the model sees that one. */
  async choose(turnId: string): Promise<void> {
    if (this.store.get().busy) return;
    await this.guarded(async () => {
      const stored = await api.post("/conversations/{id}/branch", { ...this.at, body: { turn_id: turnId } });
      this.lastEventId = null;
      this.change({ chat: chatOf(stored) });
      this.onListChange();
    });
  }

  async stop(): Promise<void> {
    await this.guarded(() => api.post("/conversations/{id}/stop", this.at));
  }

  async decide(confirmation: string, decision: Decision): Promise<void> {
    try {
      await api.post("/confirmations/{id}", { path: { id: confirmation }, body: decision });
    } catch (problem) {
      // Decided elsewhere or expired meanwhile: the stream knows better than this screen.
      if (!(problem instanceof Problem && (problem.status === 409 || problem.status === 410))) throw problem;
      void this.follow({ lastEventId: this.lastEventId });
      throw problem;
    }
    void this.follow({ lastEventId: this.lastEventId });
  }

  /** The file of that name, if it was chosen while this screen is open. */
  chosen(name: string): File | null {
    return this.files.get(name) ?? null;
  }

  /** Send a file; of a workbook, one sheet of it if its name is given. `replace`: in the place of the newest of its name. */
  async upload(file: File, sheet: string | null = null, replace = false): Promise<void> {
    this.files.set(file.name, file);
    this.uploads = new AbortController();
    const answered = new AbortController();
    this.change({ uploading: { name: file.name, share: 0, reading: false }, problem: null });
    const sent = (share: number): void => {
      if (this.store.get().uploading?.reading) return;
      this.change({ uploading: { name: file.name, share, reading: share >= 1 } });
      if (share >= 1) void this.followReading(file.name, answered.signal);
    };
    try {
      const answer = await upload(
        "/conversations/{id}/upload",
        this.at.path,
        { file, ...(sheet !== null && { sheet }), ...(replace && { replace: "true" }) },
        sent,
        this.uploads.signal,
      );
      const dataset = datasetOf(answer.dataset.summary as Json, answer.dataset.name);
      this.store.set((now) => {
        if (!now.chat || !dataset) return { ...now, uploading: null };
        const entry = {
          kind: "upload" as const,
          key: `m${answer.message_id}`,
          messageId: String(answer.message_id),
          dataset,
          at: timestamp(),
        };
        return { ...now, uploading: null, chat: { ...now.chat, entries: [...now.chat.entries, entry] } };
      });
    } catch (problem) {
      this.change({ uploading: null, problem: this.uploads.signal.aborted ? null : problem });
    } finally {
      answered.abort();
    }
  }

  /** Ask how far the server is with a file, until its upload is answered. */
  private async followReading(name: string, answered: AbortSignal): Promise<void> {
    for (;;) {
      const files = await api.get("/conversations/{id}/uploads", this.at).catch(() => []);
      if (answered.aborted) return;
      // The server may show a long or odd name differently.
      const share = (files.find((one) => one.name === name) ?? files.at(-1))?.share ?? 0;
      this.change({ uploading: { name, share, reading: true } });
      await new Promise((wake) => setTimeout(wake, READING_EVERY));
      if (answered.aborted) return;
    }
  }

  cancelUpload(): void {
    this.uploads?.abort();
  }

  async feedback(key: string, value: -1 | 0 | 1, why: Why = NO_REASON): Promise<void> {
    const entry = this.store.get().chat?.entries.find((candidate) => candidate.key === key);
    if (entry?.kind !== "turn") return;
    const put = (shown: Pick<typeof entry, "feedback" | "why">) =>
      this.store.set((now) => ({
        ...now,
        chat: now.chat && changeEntry(now.chat, key, (one) => (one.kind === "turn" ? { ...one, ...shown } : one)),
      }));
    put({ feedback: value, why });
    const send = async () => {
      const messageId = entry.messageId ?? (await this.messageOf(entry.turn.id));
      await api.post("/messages/{id}/feedback", { path: { id: messageId }, body: { value, reasons: why.reasons, comment: why.comment || null } });
    };
    try {
      // One after the other: a bare thumb that arrived after its reason would erase it.
      this.feedbackSent = this.feedbackSent.then(send, send);
      await this.feedbackSent;
    } catch (problem) {
      put({ feedback: entry.feedback, why: entry.why });
      this.change({ problem });
    }
  }

  setMode(mode: "model" | "keyword"): void {
    this.store.set((now) => ({ ...now, chat: now.chat && { ...now.chat, mode } }));
    void this.guarded(async () => {
      const { shown } = await api.get("/conversations/{id}", this.at);
      this.store.set((now) => ({ ...now, chat: now.chat && { ...now.chat, shown } }));
    });
  }

  setShare(share: Chat["share"]): void {
    this.store.set((now) => ({ ...now, chat: now.chat && { ...now.chat, share } }));
  }

  /** The title may be the server's (made from the first question) or somebody's new one. */
  async refreshTitle(): Promise<void> {
    await this.guarded(async () => {
      const { title } = await api.get("/conversations/{id}", this.at);
      this.store.set((now) => ({ ...now, chat: now.chat && { ...now.chat, title } }));
    });
  }

  dismiss(): void {
    this.change({ problem: null });
  }

  /** A turn that was streamed has no message id yet; the stored conversation does. */
  private async messageOf(turnId: string | null): Promise<string> {
    const stored = await api.get("/conversations/{id}", this.at);
    const message = stored.messages.find((one) => one.metadata?.["events"] && String(one.metadata["turn_id"]) === turnId);
    if (!message) throw new Problem(404, "Not found", "");
    return message.id;
  }

  private async follow(start: Start, undo?: () => void, quiet = false): Promise<void> {
    this.following?.abort();
    const control = (this.following = new AbortController());
    this.store.set((now) => ({ ...now, busy: !quiet, chat: now.chat && opened(now.chat, timestamp()) }));
    let heard = false;
    try {
      await followTurn(
        this.id,
        start,
        {
          onEvent: (item) => {
            heard = true;
            if (item.id) this.lastEventId = item.id;
            if (quiet && item.event.type !== "done") this.change({ busy: true });
            this.queue(item);
          },
          onConnection: (state) => this.change({ connection: state === "lost" ? "lost" : "fine" }),
        },
        control.signal,
      );
    } catch (problem) {
      if (control.signal.aborted) return;
      this.flush();
      if (!heard && undo) undo();
      if (!heard && isUnreachable(problem)) void this.lookAgain();
      if (problem instanceof Problem && problem.status === 409) void this.load();
      this.change({ problem });
    } finally {
      if (this.following === control) {
        this.flush();
        this.following = null;
        this.change({ busy: false, connection: "fine" });
        this.settle();
      }
    }
  }

  /** Somebody decided, another tab asked, or this one slept: read what goes on without us. */
  private hear(item: News): void {
    const chat = this.store.get().chat;
    if (!chat || this.following) return;
    const turn = lastTurn(chat);
    if (mayHaveMissed(item) && turn?.status === "waiting") void this.follow({ lastEventId: this.lastEventId }, undefined, true);
    if (item.type !== "turn" || item.conversation_id !== this.id) return;
    if (turn?.id === item.turn_id && turn.status === item.status) return;
    if (turn?.id === item.turn_id && this.lastEventId) void this.follow({ lastEventId: this.lastEventId }, undefined, true);
    else void this.load();
  }

  /** The question may have arrived although its answer's first byte did not. */
  private async lookAgain(): Promise<void> {
    const asked = this.store.get().unsent;
    try {
      const stored = await api.get("/conversations/{id}", this.at);
      const chat = chatOf(stored);
      if (stored.status === "running" || stored.status === "waiting") {
        this.change({ chat, unsent: null, problem: null });
        void this.follow({});
      } else if (asked !== null && chat.entries.some((entry) => entry.kind === "question" && entry.text === asked)) {
        this.change({ chat });
      }
    } catch {
      // Still unreachable: what is on the screen already says so.
    }
  }

  /** A stream can end without `done` (204 after a restart): read what was stored. */
  private settle(): void {
    const chat = this.store.get().chat;
    const turn = chat && lastTurn(chat);
    if (turn?.status === "running" && !this.store.get().problem) {
      void api.get("/conversations/{id}", this.at)
        .then((stored) => {
          // All was told but that it waits: that is no part of the record.
          if (stored.status === "waiting" && turn.id) this.queue({ id: null, event: { type: "done", turn_id: turn.id, status: "waiting", iterations: turn.iterations } });
          else if (stored.status !== "running") this.change({ chat: chatOf(stored) });
        })
        .catch(() => undefined);
    }
  }

  /** Text arrives far faster than screens draw: apply what came once a frame. */
  private queue(item: Numbered): void {
    this.waiting.push(item);
    if (this.scheduled) return;
    this.scheduled = true;
    const apply = () => {
      this.scheduled = false;
      this.flush();
    };
    if (document.visibilityState === "visible") requestAnimationFrame(apply);
    else setTimeout(apply, 100);
  }

  private flush(): void {
    const items = this.waiting;
    if (!items.length) return;
    this.waiting = [];
    this.store.set((now) => (now.chat ? { ...now, chat: received(now.chat, items) } : now));
    void this.findSources();
  }

  /** Code that runs is in the stored reply before its first event comes: fetch what it says. */
  private async findSources(): Promise<void> {
    const turn = this.store.get().chat && lastTurn(this.store.get().chat as Chat);
    const unknown = turn?.parts.some((part) => part.kind === "code" && !part.run.source && !this.sought.has(part.run.id));
    if (!turn || !unknown) return;
    for (const part of turn.parts) if (part.kind === "code") this.sought.add(part.run.id);
    try {
      const stored = await api.get("/conversations/{id}", this.at);
      this.store.set((now) => (now.chat ? { ...now, chat: withStoredSources(now.chat, stored) } : now));
    } catch {
      // The card shows everything but its source; a reload will have it.
    }
  }

  private async guarded(action: () => Promise<unknown>): Promise<void> {
    try {
      await action();
    } catch (problem) {
      this.change({ problem });
    }
  }

  private change(part: Partial<Open>): void {
    this.store.set((now) => ({ ...now, ...part }));
  }

  private get at() {
    return { path: { id: this.id } };
  }
}

function timestamp(): string {
  return new Date().toISOString();
}
