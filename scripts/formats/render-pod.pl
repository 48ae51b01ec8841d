# Writes a page in POD as HTML: PAGE OUT
use strict;
use warnings;
use Pod::Simple::XHTML;

my ($page, $out) = @ARGV;
my $parser = Pod::Simple::XHTML->new;
$parser->index(0);
$parser->html_charset('UTF-8');
$parser->no_errata_section(1);
$parser->output_string(\my $html);
$parser->parse_file($page);
open(my $file, '>:utf8', $out) or die "$out: $!";
print $file $html;
