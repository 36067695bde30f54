/** Which page an address shows, and who may see it. */
import { useEffect, useState } from "preact/hooks";
import { Arriving, rememberWanted, SignIn } from "./session/SignIn";
import { Setup } from "./session/Setup";
import { Later } from "./shell/Later";
import { Shell } from "./shell/Shell";
import { forgetConversations } from "./state/conversations";
import { loadPerson, person, token } from "./state/person";
import { replace, route } from "./state/route";
import { useStore } from "./state/store";
import { Announcer } from "./ui/announce";
import { Button } from "./ui/Button";
import { ErrorNote } from "./ui/ErrorNote";
import { Loading } from "./ui/parts";
import { Toasts } from "./ui/toast";
import { useSpeech } from "./i18n";

const shared = () => import("./dashboards/SharedDashboard").then(({ SharedDashboard }) => SharedDashboard);

export function App() {
  return (
    <>
      <Screen />
      <Announcer />
      <Toasts />
    </>
  );
}

function Screen() {
  const { path } = useStore(route);
  const signedIn = useStore(token) !== null;
  useEffect(() => {
    if (!signedIn) forgetConversations();
  }, [signedIn]);
  if (path[0] === "shared" && path[1]) return <Later key={path[1]} fetch={shared} with={{ token: path[1] }} />;
  if (path[0] === "setup" && path[1]) return <Setup token={path[1]} />;
  if (path[0] === "arrived") return <Arriving />;
  if (!signedIn) {
    rememberWanted(path);
    return <SignIn />;
  }
  return <SignedIn />;
}

function SignedIn() {
  const { t } = useSpeech();
  const me = useStore(person);
  const { path } = useStore(route);
  const [problem, setProblem] = useState<unknown>(null);
  const load = () => {
    setProblem(null);
    loadPerson().catch(setProblem);
  };
  const unknown = me === null;
  useEffect(() => {
    if (unknown) load();
  }, [unknown]);
  const [room] = path;
  useEffect(() => {
    if (me && room === "login") replace();
  }, [me, room]);
  if (me) return <Shell />;
  return (
    <main class="door">
      {problem ? (
        <ErrorNote problem={problem}>
          <Button small icon="retry" onClick={load}>
            {t("ui.try_again")}
          </Button>
        </ErrorNote>
      ) : (
        <Loading />
      )}
    </main>
  );
}
