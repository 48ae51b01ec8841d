import type { OwnWords } from "./shape.ts";

export const cs: OwnWords = {
  phrases: {
    quoting: "Toto říká dokumentace doslova:",
    touching: "Dokumentace to výslovně neříká. Nejblíže je tomu:",
    notCovered: "Dokumentace se tím nezabývá.",
    nearest: "Nejbližší stránky:",
    contact: "Zeptat se můžete zde:",
    failed: "Odpověď se přerušila kvůli problému na serveru. Zkuste to prosím znovu.",
    cutOff: "Odpověď zde byla zkrácena, protože byla příliš dlouhá.",
    sources: "Zdroje:",
    pageNotFound: "Tato stránka neexistuje nebo platnost odkazu vypršela.",
  },
  courtesies: {
    greeting: "Dobrý den! Co byste chtěli vědět? Vyhledám to v dokumentaci.",
    thanks: "Není zač. Ptejte se, pokud je ještě něco nejasné.",
    self: "Jsem program, který odpovídá na otázky podle této dokumentace, s odkazy na zdroj.",
    empty: "Napište prosím několika slovy, co byste chtěli vědět.",
  },
};

export const pl: OwnWords = {
  phrases: {
    quoting: "Oto co dosłownie mówi dokumentacja:",
    touching: "Dokumentacja nie mówi tego wprost. Najbliższe jest to:",
    notCovered: "Dokumentacja tego nie obejmuje.",
    nearest: "Najbliższe strony:",
    contact: "Możesz zapytać tutaj:",
    failed: "Odpowiedź została przerwana z powodu problemu na serwerze. Spróbuj ponownie.",
    cutOff: "Odpowiedź została tu ucięta, ponieważ stała się zbyt długa.",
    sources: "Źródła:",
    pageNotFound: "Nie ma takiej strony lub link wygasł.",
  },
  courtesies: {
    greeting: "Dzień dobry! Co chcesz wiedzieć? Sprawdzę to w dokumentacji.",
    thanks: "Nie ma za co. Pytaj, jeśli coś jeszcze jest niejasne.",
    self: "Jestem programem, który odpowiada na pytania na podstawie tej dokumentacji, z linkami do źródeł.",
    empty: "Napisz w kilku słowach, czego chcesz się dowiedzieć.",
  },
};

export const ru: OwnWords = {
  phrases: {
    quoting: "Вот что дословно сказано в документации:",
    touching: "В документации об этом прямо не сказано. Ближе всего к этому:",
    notCovered: "В документации об этом не говорится.",
    nearest: "Ближайшие страницы:",
    contact: "Задать вопрос можно здесь:",
    failed: "Ответ прервался из-за ошибки на сервере. Повторите попытку.",
    cutOff: "Ответ здесь обрезан, потому что стал слишком длинным.",
    sources: "Источники:",
    pageNotFound: "Такой страницы нет, или срок действия ссылки истёк.",
  },
  courtesies: {
    greeting: "Здравствуйте! Что вы хотите узнать? Я поищу в документации.",
    thanks: "Пожалуйста. Спрашивайте, если что-то ещё неясно.",
    self: "Я программа, которая отвечает на вопросы по этой документации, со ссылками на источник.",
    empty: "Напишите в нескольких словах, что вы хотите узнать.",
  },
};

export const uk: OwnWords = {
  phrases: {
    quoting: "Ось що дослівно сказано в документації:",
    touching: "У документації про це прямо не сказано. Найближче до цього:",
    notCovered: "У документації про це не йдеться.",
    nearest: "Найближчі сторінки:",
    contact: "Запитати можна тут:",
    failed: "Відповідь перервалася через помилку на сервері. Спробуйте ще раз.",
    cutOff: "Відповідь тут обрізано, бо вона стала надто довгою.",
    sources: "Джерела:",
    pageNotFound: "Такої сторінки немає, або термін дії посилання минув.",
  },
  courtesies: {
    greeting: "Вітаю! Що ви хочете дізнатися? Я пошукаю в документації.",
    thanks: "Будь ласка. Запитуйте, якщо щось іще незрозуміло.",
    self: "Я програма, яка відповідає на запитання за цією документацією, з посиланнями на джерело.",
    empty: "Напишіть кількома словами, що ви хочете дізнатися.",
  },
};
