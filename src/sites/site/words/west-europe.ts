import type { OwnWords } from "./shape.ts";

export const de: OwnWords = {
  phrases: {
    quoting: "Das steht wörtlich in der Dokumentation:",
    touching: "Die Dokumentation sagt das nicht ausdrücklich. Am nächsten kommt:",
    notCovered: "Die Dokumentation sagt dazu nichts.",
    nearest: "Diese Seiten kommen dem am nächsten:",
    contact: "Hier können Sie nachfragen:",
    failed:
      "Die Antwort ist wegen eines Fehlers auf dem Server abgebrochen. Bitte versuchen Sie es noch einmal.",
    cutOff: "Die Antwort wurde hier abgebrochen, weil sie zu lang wurde.",
    sources: "Quellen:",
    pageNotFound: "Diese Seite gibt es nicht, oder der Link ist abgelaufen.",
  },
  courtesies: {
    greeting: "Hallo! Was möchten Sie wissen? Ich schlage es in der Dokumentation nach.",
    thanks: "Gern geschehen. Fragen Sie einfach, wenn noch etwas unklar ist.",
    self: "Ich bin ein Programm, das Fragen aus dieser Dokumentation beantwortet, mit Links zur jeweiligen Stelle.",
    empty: "Bitte schreiben Sie in ein paar Worten, was Sie wissen möchten.",
  },
};

export const es: OwnWords = {
  phrases: {
    quoting: "Esto es lo que dice la documentación, palabra por palabra:",
    touching: "La documentación no lo dice de forma expresa. Lo más cercano:",
    notCovered: "La documentación no trata este tema.",
    nearest: "Las páginas más cercanas:",
    contact: "Puede preguntar aquí:",
    failed: "La respuesta se interrumpió por un problema en el servidor. Inténtelo de nuevo.",
    cutOff: "La respuesta se cortó aquí porque era demasiado larga.",
    sources: "Fuentes:",
    pageNotFound: "Esta página no existe o el enlace ha caducado.",
  },
  courtesies: {
    greeting: "¡Hola! ¿Qué desea saber? Lo busco en la documentación.",
    thanks: "De nada. Pregunte si algo más no queda claro.",
    self: "Soy un programa que responde preguntas a partir de esta documentación, con enlaces a cada pasaje.",
    empty: "Escriba en pocas palabras lo que desea saber.",
  },
};

export const fr: OwnWords = {
  phrases: {
    quoting: "Voici ce que dit la documentation, mot pour mot :",
    touching: "La documentation ne le dit pas expressément. Voici ce qui s’en approche le plus :",
    notCovered: "La documentation n’aborde pas ce sujet.",
    nearest: "Les pages les plus proches :",
    contact: "Vous pouvez poser votre question ici :",
    failed: "La réponse s’est interrompue à cause d’un problème sur le serveur. Veuillez réessayer.",
    cutOff: "La réponse a été coupée ici parce qu’elle devenait trop longue.",
    sources: "Sources :",
    pageNotFound: "Cette page n’existe pas, ou le lien a expiré.",
  },
  courtesies: {
    greeting: "Bonjour ! Que souhaitez-vous savoir ? Je cherche dans la documentation.",
    thanks: "Avec plaisir. N’hésitez pas si autre chose n’est pas clair.",
    self: "Je suis un programme qui répond aux questions à partir de cette documentation, avec des liens vers les passages.",
    empty: "Écrivez en quelques mots ce que vous souhaitez savoir.",
  },
};

export const it: OwnWords = {
  phrases: {
    quoting: "Ecco che cosa dice la documentazione, parola per parola:",
    touching: "La documentazione non lo dice espressamente. Ciò che vi si avvicina di più:",
    notCovered: "La documentazione non tratta questo argomento.",
    nearest: "Le pagine più vicine:",
    contact: "Puoi chiedere qui:",
    failed: "La risposta si è interrotta per un problema sul server. Riprova.",
    cutOff: "La risposta è stata troncata qui perché troppo lunga.",
    sources: "Fonti:",
    pageNotFound: "Questa pagina non esiste, o il link è scaduto.",
  },
  courtesies: {
    greeting: "Ciao! Che cosa vuoi sapere? Lo cerco nella documentazione.",
    thanks: "Prego. Chiedi pure se qualcosa non è ancora chiaro.",
    self: "Sono un programma che risponde alle domande in base a questa documentazione, con link ai passaggi.",
    empty: "Scrivi in poche parole che cosa vuoi sapere.",
  },
};

export const nl: OwnWords = {
  phrases: {
    quoting: "Dit staat woordelijk in de documentatie:",
    touching: "De documentatie zegt dit niet met zoveel woorden. Dit komt er het dichtst bij:",
    notCovered: "De documentatie zegt hier niets over.",
    nearest: "Deze pagina’s komen het dichtst in de buurt:",
    contact: "Je kunt het hier vragen:",
    failed: "Het antwoord is afgebroken door een probleem op de server. Probeer het opnieuw.",
    cutOff: "Het antwoord is hier afgekapt omdat het te lang werd.",
    sources: "Bronnen:",
    pageNotFound: "Deze pagina bestaat niet, of de link is verlopen.",
  },
  courtesies: {
    greeting: "Hallo! Wat wil je weten? Ik zoek het op in de documentatie.",
    thanks: "Graag gedaan. Vraag het gerust als er nog iets onduidelijk is.",
    self: "Ik ben een programma dat vragen beantwoordt vanuit deze documentatie, met links naar waar het staat.",
    empty: "Schrijf in een paar woorden wat je wilt weten.",
  },
};

export const ptBR: OwnWords = {
  phrases: {
    quoting: "Isto é o que a documentação diz, palavra por palavra:",
    touching: "A documentação não diz isso expressamente. O que mais se aproxima:",
    notCovered: "A documentação não trata disso.",
    nearest: "As páginas mais próximas:",
    contact: "Você pode perguntar aqui:",
    failed: "A resposta foi interrompida por um problema no servidor. Tente de novo.",
    cutOff: "A resposta foi cortada aqui porque ficou longa demais.",
    sources: "Fontes:",
    pageNotFound: "Esta página não existe, ou o link expirou.",
  },
  courtesies: {
    greeting: "Olá! O que você gostaria de saber? Vou procurar na documentação.",
    thanks: "De nada. Pergunte se algo ainda não estiver claro.",
    self: "Sou um programa que responde a perguntas a partir desta documentação, com links para cada trecho.",
    empty: "Escreva em poucas palavras o que você gostaria de saber.",
  },
};

export const sv: OwnWords = {
  phrases: {
    quoting: "Så här står det ordagrant i dokumentationen:",
    touching: "Dokumentationen säger inte detta uttryckligen. Det som kommer närmast:",
    notCovered: "Dokumentationen tar inte upp detta.",
    nearest: "De närmaste sidorna:",
    contact: "Du kan fråga här:",
    failed: "Svaret avbröts på grund av ett problem på servern. Försök igen.",
    cutOff: "Svaret klipptes av här eftersom det blev för långt.",
    sources: "Källor:",
    pageNotFound: "Sidan finns inte, eller så har länken gått ut.",
  },
  courtesies: {
    greeting: "Hej! Vad vill du veta? Jag letar i dokumentationen.",
    thanks: "Varsågod. Fråga gärna om något fortfarande är oklart.",
    self: "Jag är ett program som svarar på frågor utifrån den här dokumentationen, med länkar till källan.",
    empty: "Skriv med några ord vad du vill veta.",
  },
};
