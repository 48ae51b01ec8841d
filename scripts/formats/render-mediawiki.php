<?php
// Writes the pages of a dump that readers see as HTML, below their titles: WIKI DUMP OUT
[, $wiki, $dump, $out] = $argv;
$argv = [$argv[0]];
$GLOBALS['argc'] = 1;
putenv("MW_INSTALL_PATH=$wiki");
require_once "$wiki/maintenance/Maintenance.php";

class RenderPages extends Maintenance {
    public static string $dump;
    public static string $out;

    public function execute() {
        $html = '<body>';
        foreach (simplexml_load_file(self::$dump)->page as $page) {
            if (isset($page->redirect) || !in_array((int)$page->ns, [0, 12])) continue;
            $title = Title::newFromText((string)$page->title);
            $options = ParserOptions::newFromAnon();
            $shown = MediaWiki\MediaWikiServices::getInstance()->getWikiPageFactory()
                ->newFromTitle($title)->getParserOutput($options, null, true);
            $html .= '<h1>' . htmlspecialchars($title->getPrefixedText()) . '</h1>'
                . $shown->getText(['enableSectionEditLinks' => false]);
        }
        file_put_contents(self::$out, $html . '</body>');
    }
}

RenderPages::$dump = $dump;
RenderPages::$out = $out;
$maintClass = RenderPages::class;
require_once RUN_MAINTENANCE_IF_MAIN;
