import { ConversationView } from "./ConversationView";
import { NewChat } from "./NewChat";

export function ChatPage({ id }: { id: string | null }) {
  return id === null ? <NewChat /> : <ConversationView key={id} id={id} />;
}
