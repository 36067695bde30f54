"""What people call the tools of this pack, in Portuguese and in English."""

from __future__ import annotations

TITLES = {
    "searchDocuments": ("Procurar documentos", "Search documents"),
    "getEmployeeList": ("Lista de colaboradores", "Employee list"),
    "getSalesSummary": ("Resumo de vendas", "Sales summary"),
    "getTaskList": ("Lista de tarefas", "Task list"),
    "getAnnouncements": ("Comunicados", "Announcements"),
    "getSystemStatus": ("Estado do sistema", "System status"),
    "createTask": ("Criar tarefa", "Create task"),
    "sendAnnouncement": ("Publicar comunicado", "Post announcement"),
}

CALLS = {
    "createTask": ("Criar tarefa: {title}", "Create task: {title}"),
    "sendAnnouncement": ("Publicar comunicado: {title}", "Post announcement: {title}"),
}
"""One call in words, for whoever decides about it."""
