import java.io.FileInputStream;
import java.io.InputStream;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.xml.parsers.DocumentBuilderFactory;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.validation.profiles.Profiles;
import org.verapdf.pdfa.validation.profiles.Rule;
import org.verapdf.pdfa.validation.profiles.ValidationProfile;
import org.verapdf.pdfa.validation.profiles.Variable;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Checks files by veraPDF's profiles: `Validate PROFILE FILE ...`, where a profile is 3a or ua1.
 *
 * Prints a line for each file (its name, rules, checks, failed checks) and one for each failed rule,
 * separated by tabs. The profile is read here because the package leaves out what reads it (JAXB).
 */
public class Validate {
  public static void main(String[] given) throws Exception {
    Logger.getLogger("").setLevel(Level.OFF);
    VeraGreenfieldFoundryProvider.initialise();
    PDFAFlavour flavour = PDFAFlavour.byFlavourId(given[0]);
    ValidationProfile profile = read(flavour, given[0].equals("3a") ? "PDFA-3A" : "PDFUA-1");
    for (int i = 1; i < given.length; i++) {
      validate(given[i], flavour, profile);
    }
  }

  static void validate(String file, PDFAFlavour flavour, ValidationProfile profile)
      throws Exception {
    try (PDFAParser parser =
        Foundries.defaultInstance().createParser(new FileInputStream(file), flavour)) {
      var result = Foundries.defaultInstance().createValidator(profile, false).validate(parser);
      var failed = new TreeMap<String, String>();
      for (TestAssertion each : result.getTestAssertions()) {
        if (each.getStatus() == TestAssertion.Status.PASSED) {
          continue;
        }
        var rule = each.getRuleId();
        failed.putIfAbsent(
            rule.getClause() + "-" + rule.getTestNumber(),
            each.getMessage() + "\t" + each.getLocation().getContext());
      }
      int rules = profile.getRules().size();
      System.out.println(
          String.join("\t", file, "" + rules, "" + result.getTotalAssertions(), "" + failed.size()));
      failed.forEach((rule, says) -> System.out.println("\t" + rule + "\t" + says));
    }
  }

  static ValidationProfile read(PDFAFlavour flavour, String name) throws Exception {
    String place = "/org/verapdf/pdfa/validation/" + name + ".xml";
    try (InputStream in = Validate.class.getResourceAsStream(place)) {
      Element root =
          DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in).getDocumentElement();
      Set<Rule> rules = new HashSet<>();
      NodeList found = root.getElementsByTagName("rule");
      for (int i = 0; i < found.getLength(); i++) {
        rules.add(rule(flavour, (Element) found.item(i)));
      }
      Set<Variable> variables = new HashSet<>();
      found = root.getElementsByTagName("variable");
      for (int i = 0; i < found.getLength(); i++) {
        Element it = (Element) found.item(i);
        variables.add(
            Profiles.variableFromValues(
                it.getAttribute("name"),
                it.getAttribute("object"),
                text(it, "defaultValue"),
                text(it, "value")));
      }
      var details = Profiles.profileDetailsFromValues(name, name, "veraPDF", new Date(0));
      return Profiles.profileFromValues(flavour, details, "", rules, variables);
    }
  }

  static Rule rule(PDFAFlavour flavour, Element it) {
    Element id = (Element) it.getElementsByTagName("id").item(0);
    var named =
        Profiles.ruleIdFromValues(
            PDFAFlavour.Specification.valueOf(id.getAttribute("specification")),
            id.getAttribute("clause"),
            Integer.parseInt(id.getAttribute("testNumber")));
    boolean deferred = Boolean.parseBoolean(it.getAttribute("deferred"));
    return Profiles.ruleFromValues(
        named,
        it.getAttribute("object"),
        deferred ? Boolean.TRUE : null,
        it.getAttribute("tags"),
        text(it, "description"),
        text(it, "test"),
        Profiles.errorFromValues(text(it, "message"), List.of()),
        List.of());
  }

  static String text(Element it, String name) {
    return it.getElementsByTagName(name).item(0).getTextContent().strip();
  }
}
