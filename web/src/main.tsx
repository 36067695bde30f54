import { render } from "preact";
import { App } from "./app";
import { learn } from "./i18n";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/shell.css";
import "./styles/chat.css";
import "./styles/widgets.css";
import "./styles/pages.css";

const root = document.getElementById("app");
if (root) void learn().finally(() => render(<App />, root));
